import { ok, problem, warning, type Found } from "./finding.ts";

/**
 * Whether a command and an installation fit each other (Semantic Versioning 2.0.0): the same major version and, as long
 * as that is 0, the same minor one.
 */
export function versionsFit(one: string, other: string): boolean {
  const [a, b] = [release(one), release(other)];
  if (a === undefined || b === undefined) return one === other;
  return a[0] === b[0] && (a[0] !== 0 || a[1] === b[1]);
}

/** @param installed the version in the installation's ConfigMap */
export function comparedVersions(own: string, installed: string | undefined, namespace: string): Found {
  if (installed === undefined) {
    return warning(
      `the installation in namespace ${namespace} does not say its version`,
      `its ConfigMap kindling was changed by hand? helm upgrade writes it anew`,
    );
  }
  const what = `kindling ${installed} in namespace ${namespace}`;
  if (versionsFit(own, installed)) return ok(installed === own ? what : `${what}, which this command (${own}) fits`);
  const isOlder = isBefore(installed, own);
  return problem(
    `${what}, and this command is ${own}: these do not fit`,
    isOlder
      ? `upgrade the installation (helm upgrade), or take a command of its version: npm install --global @kindling/submit-cli@${installed}`
      : `npm install --global @kindling/submit-cli@${installed}`,
  );
}

function isBefore(one: string, other: string): boolean {
  const [a = [], b = []] = [release(one), release(other)];
  const at = a.findIndex((part, index) => part !== b[index]);
  return at !== -1 && (a[at] ?? 0) < (b[at] ?? 0);
}

function release(version: string): readonly number[] | undefined {
  const match = /^(\d+)\.(\d+)\.(\d+)(?:[-+].*)?$/.exec(version);
  return match?.slice(1).map(Number);
}
