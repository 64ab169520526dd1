export { FLAGS, takesValue, type Flag } from "./flag-table.ts";
export { parseArguments, type SubmitArguments } from "./parse-arguments.ts";
export { SPECIAL_CLASSES } from "./special-classes.ts";
export { toRequest } from "./to-request.ts";
export { refuseLaterFlags } from "./unknown-flag.ts";
