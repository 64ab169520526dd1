/** The rules of names; each returns what is wrong, in the server's words (apimachinery, `util/validation`). */

const LABEL_1123 = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const SUBDOMAIN = String.raw`[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*`;
const LABEL_1035 = "[a-z]([-a-z0-9]*[a-z0-9])?";
const QUALIFIED = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
const LABEL_VALUE = "(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?";
const CONFIG_KEY = "[-._a-zA-Z0-9]+";

/** What is wrong with a name; nothing if it is right. */
export type NameRule = (value: string) => string[];

function rule(pattern: string, limit: number, message: string, examples: readonly string[]): NameRule {
  const expression = new RegExp(`^(?:${pattern})$`);
  return (value) => {
    const problems: string[] = [];
    if (Buffer.byteLength(value) > limit) problems.push(maxLength(limit));
    if (!expression.test(value)) problems.push(regexMessage(message, pattern, examples));
    return problems;
  };
}

function maxLength(limit: number): string {
  return `must be no more than ${limit} characters`;
}

function regexMessage(message: string, pattern: string, examples: readonly string[]): string {
  return `${message} (e.g. ${examples.map((example) => `'${example}', `).join(" or ")}regex used for validation is '${pattern}')`;
}

/** A DNS subdomain: most names. */
export const dnsSubdomain: NameRule = rule(
  SUBDOMAIN,
  253,
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
  ["example.com"],
);

/** A DNS label: namespaces, containers, volumes. */
export const dnsLabel: NameRule = (value) => {
  if (!value.includes(".") || !DOTTED.test(value)) return plainLabel(value);
  const long = Buffer.byteLength(value) > 63 ? [maxLength(63)] : [];
  return [...long, "must not contain dots"];
};

const DOTTED = new RegExp(`^(?:${SUBDOMAIN})$`);
const plainLabel: NameRule = rule(
  LABEL_1123,
  63,
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
  ["my-name", "123-abc"],
);

/** A DNS label of the older kind, which begins with a letter: services. */
export const dns1035Label: NameRule = rule(
  LABEL_1035,
  63,
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
  ["my-name", "abc-123"],
);

/** A key in a ConfigMap or a Secret. */
export const configKey: NameRule = (value) => {
  const problems = configKeyForm(value);
  if (value === ".") problems.push("must not be '.'");
  else if (value === "..") problems.push("must not be '..'");
  else if (value.startsWith("..")) problems.push("must not start with '..'");
  return problems;
};

const configKeyForm = rule(
  CONFIG_KEY,
  253,
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
  ["key.name", "KEY_NAME", "key-name"],
);

/** The value of a label. */
export const labelValue: NameRule = rule(
  LABEL_VALUE,
  63,
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  ["MyValue", "my_value", "12345"],
);

/** A part of a URL path: roles and their bindings. */
export const pathSegment: NameRule = (value) => {
  if (value === "." || value === "..") return [`may not be '${value}'`];
  return ["/", "%"]
    .filter((character) => value.includes(character))
    .map((character) => `may not contain '${character}'`);
};

const QUALIFIED_MESSAGE =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
const QUALIFIED_EXAMPLES = ["MyName", "my.name", "123-abc"];
const QUALIFIED_EXPRESSION = new RegExp(`^${QUALIFIED}$`);

/** A name with an optional domain: label keys, annotation keys, finalizers. */
export const qualifiedName: NameRule = (value) => {
  const parts = value.split("/");
  if (parts.length > 2) {
    const message = regexMessage(QUALIFIED_MESSAGE, QUALIFIED, QUALIFIED_EXAMPLES);
    return [`a qualified name ${message} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`];
  }
  const problems: string[] = [];
  const [prefix, name = value] = parts.length === 2 ? parts : [undefined, value];
  if (prefix === "") problems.push("prefix part must be non-empty");
  else if (prefix !== undefined) problems.push(...dnsSubdomain(prefix).map((message) => `prefix part ${message}`));
  if (name === "") problems.push("name part must be non-empty");
  else if (name.length > 63) problems.push(`name part ${maxLength(63)}`);
  if (!QUALIFIED_EXPRESSION.test(name)) {
    problems.push(`name part ${regexMessage(QUALIFIED_MESSAGE, QUALIFIED, QUALIFIED_EXAMPLES)}`);
  }
  return problems;
};

/** The name of an environment variable. */
export const envName: NameRule = (value) =>
  value === ""
    ? ["environment variable name must be non-empty"]
    : /^[\x20-\x3c\x3e-\x7e]+$/.test(value)
      ? []
      : ["a valid environment variable name must consist only of printable ASCII characters other than '='"];

/** The name of a port: 15 characters at most, with a letter. */
export const portName: NameRule = (value) => {
  const problems: string[] = [];
  if (value.length > 15) problems.push(maxLength(15));
  if (!/^[-a-z0-9]+$/.test(value))
    problems.push("must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)");
  if (!/[a-z]/.test(value)) problems.push("must contain at least one letter (a-z)");
  if (value.includes("--")) problems.push("must not contain consecutive hyphens");
  if (value.startsWith("-") || value.endsWith("-")) problems.push("must not begin or end with a hyphen");
  return problems;
};

/** The number of a port. */
export function portNumber(value: number): string[] {
  return value >= 1 && value <= 65535 ? [] : ["must be between 1 and 65535, inclusive"];
}

/** A rule for a prefix that the server completes: a prefix is valid if it is wrong only because its end is missing. */
export function forPrefix(nameRule: NameRule): NameRule {
  return (value) => nameRule(value.endsWith("-") && value.length > 1 ? `${value.slice(0, -1)}a` : value);
}
