import { resolve } from "node:path";
import { MUTANTS } from "./mutants.ts";

/** The part of Vite's plug-in interface that is used here. */
interface Plugin {
  readonly name: string;
  readonly enforce: "pre";
  resolveId(source: string, importer: string | undefined): string | undefined;
  transform(code: string, id: string): string | undefined;
}

const MUTANT = /\?mutant=(\d+)$/;

/**
 * Serves copies of the library with a fault in each: `src/index.ts?mutant=3` and all that it imports from `src` have the
 * fourth of {@link MUTANTS}.
 */
export function mutantPlugin(src: string): Plugin {
  return {
    name: "mutants",
    enforce: "pre",
    resolveId(source, importer) {
      const query = MUTANT.exec(importer ?? "")?.[0];
      if (query === undefined || importer === undefined || !source.startsWith(".")) return undefined;
      return resolve(importer, "..", source) + query;
    },
    transform(code, id) {
      const mutant = MUTANTS[Number(MUTANT.exec(id)?.[1] ?? -1)];
      if (mutant === undefined || id.replace(MUTANT, "") !== resolve(src, mutant.file)) return undefined;
      if (code.split(mutant.from).length !== 2)
        throw new Error(`${mutant.file} has not one place for "${mutant.name}"`);
      return code.replace(mutant.from, () => mutant.to);
    },
  };
}
