import type { Case } from "../cases/case.ts";
import type { Outcome } from "../run/side.ts";
import type { Difference } from "./difference.ts";

interface Found {
  readonly difference: Difference;
  readonly real: Outcome;
  readonly ours: Outcome;
  readonly kase: Case;
}

/** A difference that exists on purpose. */
export interface Explanation {
  readonly reason: string;
  /** The first words of the item in docs/spark-submit.md that tells users about it. */
  readonly docs: string;
  applies(found: Found): boolean;
}

/** Spark refuses it for this reason, and Kindling submits it, or refuses it for another fault that Spark did not reach. */
const takesWhat =
  (refusal: RegExp) =>
  ({ difference: { aspect, text }, real }: Found): boolean =>
    (aspect === "subject" || (aspect === "exit" && text.startsWith("spark-submit refuses"))) && refusal.test(real.err);

/** Kindling refuses it with these words, and Spark submits it. */
const refusesWith =
  (words: RegExp) =>
  ({ difference: { aspect, text }, ours }: Found): boolean =>
    aspect === "exit" && text.startsWith("kindling refuses") && words.test(`${ours.err}\n${ours.out}`);

/** Everything that a case's author wrote. */
const textOf = ({ kase }: Found): string => JSON.stringify([kase.flags, kase.app, kase.env, kase.files]);

const unescapedNames = ({ uploads }: Outcome): string[] =>
  Object.entries(uploads)
    .map(([name, text]) => `${name.replaceAll("%20", " ")}: ${text}`)
    .toSorted();

/** Every difference that is no mistake. A test checks that the documentation has a line for each. */
export const EXPLANATIONS: readonly Explanation[] = [
  {
    reason: "remote files are passed on as they are named; spark-submit opens some of them first",
    docs: "Remote files are not opened",
    applies: takesWhat(
      /No FileSystem for scheme|UnknownHostException|ClassNotFoundException: Class org\.apache\.hadoop\.fs\.|java\.net\.ConnectException/,
    ),
  },
  {
    reason: "spark-submit looks for R packages in the jars of an R application",
    docs: "Remote or missing jars of an R application are not opened either",
    applies: takesWhat(/RPackageUtils/),
  },
  {
    reason: "spark-submit resolves packages before it submits",
    docs: "Packages of `--packages` are resolved by the driver",
    applies: takesWhat(
      /unresolved dependenc|problem during retrieve of|Provided Maven Coordinates must be|IvyParsingException|Ivy settings file \S* (?:does not exist|is not a normal file)|Scheme \S+ not supported in spark\.jars\.ivySettings|Failed when loading Ivy settings/,
    ),
  },
  {
    reason: "--load-spark-defaults is taken for every version where no image tells which it is",
    docs: "`--load-spark-defaults` is refused for Spark 3.5",
    applies: (found) => found.kase.app.length === 0 && takesWhat(/Unrecognized option: --load-spark-defaults/)(found),
  },
  {
    reason: "what every API server refuses is refused by its key, before anything is made",
    docs: "Values that every API server refuses are refused before anything is made",
    applies: refusesWith(
      /a port number from 0 to 65535|is not a port number|is not the name of a (?:pod|namespace)|makes a driver pod's name of \d+ characters|would have \d+ bytes, and an API server takes|is not a CPU quantity|metadata\.ownerReferences of an object is no list of references/,
    ),
  },
  {
    reason: "spark-submit shuffles the directories of SPARK_LOCAL_DIRS",
    docs: "The directories of `SPARK_LOCAL_DIRS` stay in the order",
    applies: ({ difference: { text }, kase }) =>
      /want "spark-local-dir-\d+", got "spark-local-dir-\d+"/.test(text) ||
      ((kase.env["SPARK_LOCAL_DIRS"] ?? "").includes(",") &&
        /volumeMounts(?:\.spark-local-dir-\d+|\[\d+\]\.mountPath): /.test(text)),
  },
  {
    reason: "files of Hadoop's configuration are passed on unread",
    docs: "Files of Hadoop's configuration are passed on unread",
    applies: takesWhat(/com\.ctc\.wstx\.exc/),
  },
  {
    reason: "file: and local: URIs are taken for credentials, keytabs and krb5.conf",
    docs: "Keytabs, `krb5.conf` and the certificates of `spark.kubernetes.authenticate.*` may be `file:` or `local:` URIs",
    applies: takesWhat(
      /Keytab file: (?:file|local):|provided at \S*(?:file|local):\S* does not exist|(?:NoSuchFileException|FileNotFoundException): (?:file|local):\S*(?: \(No such|$)/m,
    ),
  },
  {
    reason: "file: URIs may be relative or have a host",
    docs: "`file:` URIs may be relative",
    applies: takesWhat(
      /because (?:"(?:filePattern|path)"|the return value of "java\.net\.URI\.getPath\(\)") is null|Wrong FS: file:\/\/[^/]/,
    ),
  },
  {
    reason: "an upload path may have braces",
    docs: "An upload path may have braces",
    applies: takesWhat(/Illegal character "\{" at position \d+ is not allowed .* path template/),
  },
  {
    reason: "a template of another kind than Pod is refused, and a quantity without a number",
    docs: "A template whose `kind` is not `Pod`",
    applies: refusesWith(
      /could not load pod from template file: kind is ".*", not Pod|the text ".*" is not a quantity/,
    ),
  },
  {
    reason: "a template is refused for numbers that JSON's readers change, and for what no API server can be told",
    docs: "A template with numbers beyond 9007199254740991",
    applies: refusesWith(
      /podTemplateFile: .* (?:is larger than 9007199254740991|is larger than \{id\}|the tag !!(?:set|omap) is not known here)/,
    ),
  },
  {
    reason: "a container whose name is empty counts as one without a name",
    docs: "An empty name of a container counts as none",
    applies: (found) =>
      // Spark's own settings are in another container; different values are not covered.
      /\.spec\.containers(?:\[\d+\])?\.(?:name: want "|\w+: (?:extra|missing) \()/.test(found.difference.text) &&
      /name\W+(?:""|'')/.test(Object.values(found.kase.files).join("\n")),
  },
  {
    reason: "connect-shell is the name of a shell in every version",
    docs: "`connect-shell` is the name of a shell",
    applies: ({ difference: { aspect }, kase, ours }) =>
      aspect === "subject" && kase.app[0] === "connect-shell" && ours.err.includes("not applicable to Spark shells"),
  },
  {
    reason: "spark.cores.max is checked also beside --total-executor-cores",
    docs: "A `spark.cores.max` that is no whole number",
    applies: (found) =>
      refusesWith(/spark\.cores\.max: .* is not a positive whole number/)(found) &&
      textOf(found).includes("--total-executor-cores"),
  },
  {
    reason: "sizes in Kubernetes' units are refused; Spark takes them from 4.2 on",
    docs: "Sizes in Kubernetes' units",
    applies: (found) => refusesWith(/: "[^"]*\d[kmgtp]ib?\s*" is not a (?:positive )?size/i)(found),
  },
  {
    reason: "memory that no long can hold is refused",
    docs: "More memory than 9007199254740991 MiB",
    applies: refusesWith(/are together more than \S+ MiB/),
  },
  {
    reason: "a file whose name has an escape is uploaded under the name that its URI stands for",
    docs: "A file called `a%20b` is uploaded under that name",
    applies: ({ difference: { aspect }, real, ours }) =>
      aspect === "uploads" && unescapedNames(real).join("\n") === unescapedNames(ours).join("\n"),
  },
  {
    reason: "the patterns ? and [] are expanded",
    docs: "The patterns `?` and `[]` are expanded",
    applies: (found) =>
      takesWhat(/URISyntaxException: Illegal character in path.*[[{]/)(found) ||
      (textOf(found).includes("/f/?wo") && `${found.difference.text}${found.ours.err}`.includes("two.txt")),
  },
  {
    reason: "a template of a PodGroup is posted as a PodGroup, whatever kind it names",
    docs: "A template of a PodGroup is posted as a PodGroup",
    applies: (found) =>
      /PodGroup|podgroup/i.test(found.difference.text) && found.kase.files["group.yaml"] === "kind: Pod\n",
  },
  {
    reason: "a context is asked for, and there is no kubeconfig",
    docs: "A context that no kubeconfig has is an error",
    applies: refusesWith(/context ".*" is asked for, and there is no kubeconfig/),
  },
  {
    reason: "a submission id that can be none is an error",
    docs: "A submission id that can be none is an error",
    applies: refusesWith(/a submission id is NAMESPACE:POD, or POD alone/),
  },
  {
    reason: "a submission id without a namespace is one of the kubeconfig's namespace, or of default",
    docs: "A submission id without a namespace is one of the kubeconfig's namespace",
    applies: (found) =>
      takesWhat(/namespace not specified for an operation requiring one/)(found) ||
      (found.difference.aspect === "deletions" && found.difference.text.includes('["/api/v1/pods/')),
  },
  {
    reason: "a template that begins with { is read as YAML if it is no JSON",
    docs: "A template that begins with `{` is read as YAML if it is no JSON",
    applies: takesWhat(/JsonParseException/),
  },
];

/** The reason for a difference, or undefined. */
export function explain(found: Found): string | undefined {
  return EXPLANATIONS.find((explanation) => explanation.applies(found))?.reason;
}
