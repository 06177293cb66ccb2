/** Describes a service as a file: https://github.com/protocolbuffers/protobuf/blob/main/src/google/protobuf/descriptor.proto */
import { bool, type Field, int32, type Message, message, one, repeated, text } from '@grainline/flight-sql'

export interface MethodShape {
  readonly name: string
  readonly input: Message<object>
  readonly output: Message<object>
  readonly asks?: 'many'
  readonly answers?: 'many'
}

interface Declared {
  readonly file: string
  readonly package: string
  readonly service: string
  readonly methods: readonly MethodShape[]
}

const fieldProto = message('FieldDescriptorProto', {
  name: text(1),
  number: int32(3),
  label: int32(4),
  type: int32(5),
  typeName: text(6),
  jsonName: text(10),
})
const messageProto = message('DescriptorProto', { name: text(1), field: repeated(one(2, fieldProto)) })
const methodProto = message('MethodDescriptorProto', {
  name: text(1),
  inputType: text(2),
  outputType: text(3),
  clientStreaming: bool(5),
  serverStreaming: bool(6),
})
const serviceProto = message('ServiceDescriptorProto', { name: text(1), method: repeated(one(2, methodProto)) })
const fileProto = message('FileDescriptorProto', {
  name: text(1),
  package: text(2),
  messageType: repeated(one(4, messageProto)),
  service: repeated(one(6, serviceProto)),
  syntax: text(12),
})

/** The codes of `FieldDescriptorProto.Type`. */
const TYPE = { double: 1, int64: 3, int32: 5, bool: 8, text: 9, message: 11, bytes: 12, uint32: 13, sfixed64: 16 } as const
const LABEL = { optional: 1, repeated: 3 } as const

export function fileDescriptor({ file, package: name, service, methods }: Declared): Buffer {
  const typeName = (of: Message<object>): string => `.${name}.${of.name}`
  const method = methods.map((each) => ({
    name: each.name,
    inputType: typeName(each.input),
    outputType: typeName(each.output),
    clientStreaming: each.asks === 'many',
    serverStreaming: each.answers === 'many',
  }))
  const messages = reachable(methods.flatMap(({ input, output }) => [input, output]))
  return fileProto.encode({
    name: file,
    package: name,
    messageType: messages.map((each) => ({
      name: each.name,
      field: Object.entries(each.fields).map(([key, field]) => fieldOf(key, field, typeName)),
    })),
    service: [{ name: service, method }],
    syntax: 'proto3',
  })
}

function fieldOf(jsonName: string, { number, kind, repeated: list }: Field<unknown>, typeName: (of: Message<object>) => string) {
  return {
    name: jsonName.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    number,
    label: list === undefined ? LABEL.optional : LABEL.repeated,
    type: typeof kind === 'string' ? TYPE[kind] : TYPE.message,
    ...(typeof kind === 'object' && { typeName: typeName(kind) }),
    jsonName,
  }
}

/** The messages, and the messages in their fields. */
function reachable(roots: readonly Message<object>[]): readonly Message<object>[] {
  const found = new Map<string, Message<object>>()
  const visit = (each: Message<object>): void => {
    if (found.has(each.name)) return
    found.set(each.name, each)
    for (const { kind } of Object.values(each.fields)) if (typeof kind === 'object') visit(kind)
  }
  for (const root of roots) visit(root)
  return [...found.values()]
}
