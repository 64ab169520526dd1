/** All of `kindling app`: a file of its own beside the command, which is loaded only where it is called for. */
export { APP } from "./app-table.ts";
export { appCommand } from "./app-command.ts";
export { appWords } from "./app-words.ts";
