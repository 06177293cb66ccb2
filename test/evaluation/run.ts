/** `npm run evaluate`: runs the scripted agent, or the language model of EVAL_URL and EVAL_MODEL. `--show` prints the calls. */
import { chatAgent, HEAD, lineOf, scriptedAgent, sentenceOf, summaryOf } from '@grainline/eval'
import { evaluateOurs } from './evaluate.js'
import { questions } from './questions.js'

const results = await evaluateOurs(chatAgent(process.env) ?? scriptedAgent, questions)
if (process.argv.includes('--show'))
  for (const { question, verdict, transcript } of results)
    console.log([`# ${verdict}: ${question.ask}`, ...transcript, ''].join('\n'))
console.log([HEAD, ...results.map(lineOf), '', sentenceOf(summaryOf(results))].join('\n'))
