import { sweep } from './sweep.ts'

await sweep(2)
