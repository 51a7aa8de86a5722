// What other areas may use of to-dos.
export { addTodo, causeNow, finishTodo } from "./writes.ts"
