import { parentPort } from 'node:worker_threads'

/** Answers what a `FileThread` asks. What is thrown ends the thread, and whoever asked is told. */
export function answering<Question, Reply>(answer: (question: Question) => Reply | Promise<Reply>): void {
  parentPort?.on('message', async (question: Question) => parentPort?.postMessage(await answer(question)))
}
