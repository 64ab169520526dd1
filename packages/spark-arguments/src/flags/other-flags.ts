import { inSection, SWITCH, type Flag } from "./flag.ts";

/** Help, and flags without a meaning on Kubernetes. */
export const OTHER_FLAGS: readonly Flag[] = inSection("other", [
  {
    name: "--verbose",
    short: "-v",
    effect: SWITCH,
    help: "show the whole configuration, and what errors were caused by",
  },
  { name: "--version", effect: SWITCH, help: "the version" },
  { name: "--help", short: "-h", effect: SWITCH, help: "this text" },
  { name: "--usage-error", effect: SWITCH, help: "this text, as an error" },
  {
    name: "--queue",
    value: "NAME",
    effect: { kind: "ignored", takesValue: true },
    help: "accepted and ignored, as by spark-submit on Kubernetes",
  },
  {
    name: "--total-executor-cores",
    value: "N",
    effect: { kind: "ignored", takesValue: true },
    help: "accepted and ignored, as by spark-submit on Kubernetes",
  },
  {
    name: "--supervise",
    effect: { kind: "ignored", takesValue: false },
    help: "accepted and ignored, as by spark-submit on Kubernetes",
  },
]);
