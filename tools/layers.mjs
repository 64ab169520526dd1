import { readFileSync } from "node:fs";
import { join } from "node:path";

// Which packages of the workspace each package may depend on at run time. A package that is not listed may use none.
const MAY_USE = {
  "@kindling/core-spec": [],
  "@kindling/kube": [],
  "@kindling/steps": ["core-spec"],
  "@kindling/staging-client": ["core-spec"],
  "@kindling/submit-cli": ["core-spec", "steps", "kube", "staging-client"],
  "@kindling/staging-server": ["core-spec", "kube", "staging-client"],
  "@kindling/localizer": ["core-spec", "staging-client"],
  "@kindling/scheduler": ["core-spec", "steps", "kube"],
  "@kindling/devcluster": ["core-spec"],
  "@kindling/dev": ["core-spec", "kube", "devcluster", "staging-server", "localizer", "submit-cli"],
};

/** Dependencies that point the wrong way. pnpm lets a package import nothing that it does not depend on. */
export function layerFaults(root, folders) {
  return folders.flatMap((folder) => {
    const manifest = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
    if (manifest.private === true) return [];
    const allowed = new Set((MAY_USE[manifest.name] ?? []).map((name) => `@kindling/${name}`));
    const used = Object.keys({
      ...manifest.dependencies,
      ...manifest.peerDependencies,
      ...manifest.optionalDependencies,
    });
    return used
      .filter((name) => name.startsWith("@kindling/") && !allowed.has(name))
      .map((name) => `${manifest.name} must not depend on ${name}`);
  });
}
