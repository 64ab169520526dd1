/** All of `kindling app`: a separate file, which is loaded only if it is called. */
export { APP } from "./app-table.ts";
export { appCommand } from "./app-command.ts";
export { appWords } from "./app-words.ts";
