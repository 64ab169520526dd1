/** All of `kindling connect`. */
export { CONNECT, OPEN } from "./connect-table.ts";
export { connectCommand } from "./connect-command.ts";
export { connectWords } from "./connect-words.ts";
