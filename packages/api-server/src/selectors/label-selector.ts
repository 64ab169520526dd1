import { badRequest } from "../status/errors.ts";
import { labelValue, qualifiedName } from "../name-rules/names.ts";

type Operator = "=" | "==" | "!=" | "in" | "notin" | "exists" | "!";

interface Requirement {
  readonly key: string;
  readonly operator: Operator;
  readonly values: readonly string[];
}

export type Labels = Readonly<Record<string, string>>;

/** A test of labels. */
export type LabelSelector = (labels: Labels | undefined) => boolean;

/** The `LabelSelector` in specs, for example of network policies and replica sets. */
export interface LabelSelectorSpec {
  readonly matchLabels?: Labels;
  readonly matchExpressions?: readonly { key: string; operator: string; values?: readonly string[] }[];
}

// A comparison sign, a bracket, a comma, or a word.
const TOKEN = /\s*(==|!=|[=!<>(),]|[^\s=!<>(),]+)/gy;

/**
 * Reads the text of the `labelSelector` parameter: `a=b,c in (d, e),!f`.
 *
 * @throws ApiError 400 with the server's own message.
 */
export function parseLabelSelector(text: string): LabelSelector {
  const requirements = new RequirementParser(tokens(text)).parse();
  return (labels) => requirements.every((requirement) => matches(requirement, labels ?? {}));
}

/** The test for a `LabelSelector` in a spec; an empty one matches everything. */
export function selectorFromSpec(spec: LabelSelectorSpec): LabelSelector {
  const requirements: Requirement[] = [
    ...Object.entries(spec.matchLabels ?? {}).map(([key, value]) => ({ key, operator: "=" as const, values: [value] })),
    ...(spec.matchExpressions ?? []).map(({ key, operator, values }) => ({
      key,
      operator: EXPRESSION_OPERATORS[operator] ?? "=",
      values: values ?? [],
    })),
  ];
  return (labels) => requirements.every((requirement) => matches(requirement, labels ?? {}));
}

/** The test for a plain map of labels, as in services. */
export function selectorFromLabels(wanted: Labels): LabelSelector {
  const entries = Object.entries(wanted);
  return (labels) => entries.every(([key, value]) => labels?.[key] === value);
}

const EXPRESSION_OPERATORS: Readonly<Record<string, Operator>> = {
  In: "in",
  NotIn: "notin",
  Exists: "exists",
  DoesNotExist: "!",
};

function matches({ key, operator, values }: Requirement, labels: Labels): boolean {
  const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
  switch (operator) {
    case "=":
    case "==":
    case "in":
      return value !== undefined && values.includes(value);
    case "!=":
    case "notin":
      return value === undefined || !values.includes(value);
    case "exists":
      return value !== undefined;
    case "!":
      return value === undefined;
  }
}

function tokens(text: string): string[] {
  return [...text.matchAll(TOKEN)].map((match) => match[1] ?? "");
}

class RequirementParser {
  readonly #tokens: readonly string[];
  #at = 0;

  constructor(all: readonly string[]) {
    this.#tokens = all;
  }

  parse(): Requirement[] {
    const requirements: Requirement[] = [];
    while (this.#at < this.#tokens.length) {
      requirements.push(checked(this.#requirement()));
      const separator = this.#next();
      if (separator === "") break;
      if (separator !== ",") throw badRequest(`found '${separator}', expected: ',' or 'end of string'`);
      const following = this.#peek();
      if (following === "" || following === ",") {
        throw badRequest(`found '${following}', expected: identifier after ','`);
      }
    }
    return requirements;
  }

  #requirement(): Requirement {
    if (this.#peek() === "!") {
      this.#at += 1;
      return { key: this.#identifier(), operator: "!", values: [] };
    }
    const key = this.#identifier();
    const operator = this.#peek();
    if (operator === "" || operator === ",") return { key, operator: "exists", values: [] };
    this.#at += 1;
    switch (operator) {
      case "in":
      case "notin":
        return { key, operator, values: this.#valueList() };
      case "=":
      case "==":
      case "!=":
        return { key, operator, values: [this.#value()] };
      default:
        throw unparsable(`found '${operator}', expected: in, notin, =, ==, !=, gt, lt`);
    }
  }

  #identifier(): string {
    const token = this.#next();
    if (!/^[^=!<>(),]/.test(token)) throw unparsable(`found '${token}', expected: identifier`);
    return token;
  }

  // The value of a comparison may be missing: `a=` means the empty value.
  #value(): string {
    const token = this.#peek();
    if (token === "" || token === ",") return "";
    if (/^[=!<>()]/.test(token)) throw unparsable(`found '${token}', expected: identifier`);
    this.#at += 1;
    return token;
  }

  #valueList(): string[] {
    const open = this.#next();
    if (open !== "(") throw unparsable(`found '${open}' expected: '('`);
    const values: string[] = [];
    for (;;) {
      const token = this.#next();
      if (token === ")") return values.length === 0 ? [""] : values;
      if (token === ",") {
        if (this.#peek() === ")" || this.#peek() === ",") values.push("");
        continue;
      }
      if (token === "" || /^[=!<>(]/.test(token)) throw unparsable(`found '${token}', expected: ',' or ')'`);
      values.push(token);
    }
  }

  #peek(): string {
    return this.#tokens[this.#at] ?? "";
  }

  #next(): string {
    const token = this.#peek();
    this.#at += 1;
    return token;
  }
}

function checked(requirement: Requirement): Requirement {
  const { key, values } = requirement;
  const [badKey] = qualifiedName(key);
  if (badKey !== undefined) throw unparsable(`<nil>: Invalid value: ${JSON.stringify(key)}: ${badKey}`);
  values.forEach((value, index) => {
    const [problem] = labelValue(value);
    if (problem !== undefined)
      throw unparsable(`values[${index}][${key}]: Invalid value: ${JSON.stringify(value)}: ${problem}`);
  });
  return requirement;
}

function unparsable(why: string): Error {
  return badRequest(`unable to parse requirement: ${why}`);
}
