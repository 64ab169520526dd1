export { parseArguments, type SubmitArguments } from "./args/parse-arguments.ts";
export { toRequest } from "./args/to-request.ts";
