import { FIELD, inSection, type Flag } from "./flag.ts";

/** Existing applications. */
export const CONTROL_FLAGS: readonly Flag[] = inSection("control", [
  {
    name: "--kill",
    value: "ID",
    effect: FIELD,
    help: "end the application NAMESPACE:POD; a name may end in *",
  },
  {
    name: "--status",
    value: "ID",
    effect: FIELD,
    help: "show the application NAMESPACE:POD; a name may end in *",
  },
]);
