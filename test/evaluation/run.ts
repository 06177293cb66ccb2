/** `npm run evaluate`: runs the scripted agent, or the language model of EVALUATE_URL and EVALUATE_MODEL. `--show` prints the calls. */
import { chatAgent } from './chat-agent.js'
import { evaluate } from './evaluate.js'
import { questions } from './questions.js'
import { scriptedAgent } from './scripted-agent.js'
import { tableOf } from './table.js'

const results = await evaluate(chatAgent(process.env) ?? scriptedAgent, questions)
if (process.argv.includes('--show'))
  for (const { ask, right, transcript } of results)
    console.log([`# ${right ? 'right' : 'WRONG'}: ${ask}`, ...transcript, ''].join('\n'))
console.log(tableOf(results))
