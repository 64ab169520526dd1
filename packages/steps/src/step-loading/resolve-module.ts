import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

/**
 * The file of a module, as `require` in a folder finds it. For a package that supports only `import`, as `import` finds it.
 * (Node resolves imports for another folder only with a flag.)
 *
 * @param name a path, or the name of a package, optionally with a path after it
 * @throws Node's own Error if there is none
 */
export function resolveModule(name: string, folder: string): string {
  const require = createRequire(join(folder, "noop.js"));
  try {
    return require.resolve(name);
  } catch (error) {
    const isForImport = error instanceof Error && "code" in error && error.code === "ERR_PACKAGE_PATH_NOT_EXPORTED";
    const found = isForImport ? importedFile(name, require.resolve.paths(name) ?? []) : undefined;
    if (found === undefined) throw error;
    return found;
  }
}

/** What `exports` in a package's manifest has for `import` (Node.js, Modules: Packages, "Conditional exports"). */
function importedFile(name: string, roots: readonly string[]): string | undefined {
  const [, packageName = "", path = ""] = /^((?:@[^/]+\/)?[^/]+)(\/.*)?$/.exec(name) ?? [];
  const folder = roots
    .map((root) => join(root, packageName))
    .find((candidate) => existsSync(join(candidate, MANIFEST)));
  if (folder === undefined) return undefined;
  const { exports } = JSON.parse(readFileSync(join(folder, MANIFEST), "utf8")) as { exports?: unknown };
  const hasPaths = isRecord(exports) && Object.keys(exports).some((key) => key.startsWith("."));
  const target = targetOf(hasPaths ? exports[`.${path}`] : path === "" ? exports : undefined);
  return target === undefined ? undefined : join(folder, target);
}

const MANIFEST = "package.json";
const CONDITIONS = new Set(["import", "node", "default"]);

function targetOf(entry: unknown): string | undefined {
  if (typeof entry === "string") return entry;
  if (!isRecord(entry)) return undefined;
  for (const [condition, nested] of Object.entries(entry)) {
    const target = CONDITIONS.has(condition) ? targetOf(nested) : undefined;
    if (target !== undefined) return target;
  }
  return undefined;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
