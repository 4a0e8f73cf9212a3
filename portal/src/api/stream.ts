import { type StreamedEvent, type StreamOptions, streamEvents } from '../../../packages/client/src/stream.ts'
import { Transport } from '../../../packages/client/src/transport.ts'

const service = new Transport({ retries: 0 })

/** A feed of the API as it grows, without end; a connection that breaks is taken up where it broke. */
export const stream = <T>(path: string, options: StreamOptions): AsyncGenerator<StreamedEvent<T>> =>
  streamEvents<T>(service, path, options)
