import { confKey, confType, optionalConfKey, type ConfKey } from "@kindling/core-spec";

const { boolean, checked, int, oneOf } = confType;

/** The levels of Kubernetes' Pod Security Standards, the most permissive first. */
export const POD_SECURITY_LEVELS = ["privileged", "baseline", "restricted"] as const;
export type PodSecurityLevel = (typeof POD_SECURITY_LEVELS)[number];

/** The label of a namespace that says which pods it admits (Pod Security Admission). */
export const POD_SECURITY_LABEL = "pod-security.kubernetes.io/enforce";

export const POD_SECURITY: ConfKey<PodSecurityLevel | undefined> = optionalConfKey({
  key: "spark.kindling.podSecurity",
  type: oneOf(...POD_SECURITY_LEVELS),
  since: "3.5.0",
  readBy: ["submit"],
  doc: "The level of the Pod Security Standards that driver and executors must meet. With restricted, their pods get the security contexts that this level requires, where nothing else is set. A pod that cannot meet the level is refused before anything is created. With privileged, pods stay as they are. If unset, the level that the application's namespace enforces by its label, if you may see it and spark.kindling.installation is not none.",
});

export const POD_SECURITY_USER: ConfKey<number | undefined> = optionalConfKey({
  key: "spark.kindling.podSecurity.runAsUser",
  type: checked(int, (user) => user > 0, "the number of a user other than root"),
  since: "3.5.0",
  readBy: ["submit"],
  doc: "The user that runs the containers of restricted pods. If unset, the user of each image, which must then be a number other than 0, as it is in Spark's own images (185).",
});

export const POD_SECURITY_READ_ONLY_ROOT: ConfKey<boolean> = confKey({
  key: "spark.kindling.podSecurity.readOnlyRootFilesystem",
  type: boolean,
  default: "false",
  since: "3.5.0",
  readBy: ["submit"],
  doc: "Whether the containers of restricted pods cannot write to their image's file system. Spark's containers then get an empty volume on /tmp, unless a volume is mounted there.",
});

export const POD_SECURITY_KEYS: readonly ConfKey<unknown>[] = [
  POD_SECURITY,
  POD_SECURITY_USER,
  POD_SECURITY_READ_ONLY_ROOT,
];
