import { KindlingError } from "@kindling/core-spec";
import { principalName, type Principal } from "../ticket/principal.ts";

export interface NameRules {
  /** The value of `hadoop.security.auth_to_local`. */
  readonly rules: string;
  readonly defaultRealm: string | undefined;
  /** The value of `hadoop.security.auth_to_local.mechanism`. */
  readonly mechanism: string;
}

/**
 * The user's name for Hadoop: the first rule that fits a principal makes it (Hadoop, "Secure Mode", and
 * KerberosName.getShortName).
 *
 * @throws KindlingError `CONF_INVALID` if no rule fits, or if a rule is none
 */
export function shortName(principal: Principal, { rules, defaultRealm, mechanism }: NameRules): string {
  const { parts, realm } = principal;
  const full = [realm, ...parts];
  for (const rule of parseRules(rules)) {
    const name = rule === "DEFAULT" ? (realm === defaultRealm ? parts[0] : undefined) : applied(rule, full);
    if (name === undefined) continue;
    // With MIT's mechanism, what a rule makes may have any form.
    if (mechanism.toLowerCase() !== "hadoop" || !/[/@]/.test(name)) return name;
    throw noName(principal, `a rule makes ${name} of it, which is no short name`);
  }
  // MIT's mechanism leaves the name as it is.
  if (mechanism.toLowerCase() === "mit") return principalName(principal);
  throw noName(principal, "no rule fits it");
}

function noName(principal: Principal, why: string): KindlingError {
  return new KindlingError("CONF_INVALID", `hadoop.security.auth_to_local: ${principalName(principal)}: ${why}`, {
    hint: "add a rule for its realm, such as RULE:[1:$1@$0](.*@REALM)s/@.*//",
  });
}

interface Rule {
  /** For principals with so many parts. */
  readonly count: number;
  /** The text that is compared: `$1` is the first part, `$0` the realm. */
  readonly format: string;
  readonly fits: RegExp | undefined;
  readonly change: { readonly from: RegExp; readonly to: string } | undefined;
  readonly inLowerCase: boolean;
}

const RULE =
  /^\s*(?:(DEFAULT)|RULE:\[\s*(\d*)\s*:([^\]]*)\](?:\(([^)]*)\))?(?:s\/([^/]*)\/([^/]*)\/(g)?)?(\/L)?)(?=\s|$)/;

function parseRules(text: string): (Rule | "DEFAULT")[] {
  const found: (Rule | "DEFAULT")[] = [];
  for (let rest = text; rest.trim() !== "";) {
    const match = RULE.exec(rest);
    if (match === null) {
      throw new KindlingError(
        "CONF_INVALID",
        `hadoop.security.auth_to_local: this is no rule: ${rest.trim().slice(0, 80)}`,
        {
          hint: "a rule is DEFAULT or RULE:[n:format](pattern)s/from/to/",
        },
      );
    }
    rest = rest.slice(match[0].length);
    const [, isDefault, count = "", format = "", fits, from, to = "", all, lower] = match;
    found.push(
      isDefault !== undefined
        ? "DEFAULT"
        : {
            count: Number(count),
            format,
            fits: fits === undefined ? undefined : pattern(`^(?:${fits})$`),
            change: from === undefined ? undefined : { from: pattern(from, all), to: to.replaceAll("$&", "$$&") },
            inLowerCase: lower !== undefined,
          },
    );
  }
  return found;
}

function pattern(source: string, flags?: string): RegExp {
  try {
    return new RegExp(source, flags);
  } catch (error) {
    throw new KindlingError("CONF_INVALID", `hadoop.security.auth_to_local: this is no pattern: ${source}`, {
      cause: error,
    });
  }
}

/** @param full the realm, then the parts */
function applied({ count, format, fits, change, inLowerCase }: Rule, full: readonly string[]): string | undefined {
  if (full.length !== count + 1) return undefined;
  const text = format.replaceAll(/\$(\d)/g, (_, number: string) => full[Number(number)] ?? "");
  if (fits?.test(text) === false) return undefined;
  const changed = change === undefined ? text : text.replace(change.from, change.to);
  return inLowerCase ? changed.toLowerCase() : changed;
}
