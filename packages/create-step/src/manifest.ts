import coreSpec from "@kindling/core-spec/package.json" with { type: "json" };
import steps from "@kindling/steps/package.json" with { type: "json" };
import submitCli from "@kindling/submit-cli/package.json" with { type: "json" };

export type Language = "javascript" | "typescript";

/** The compiler for a package in TypeScript. A test compares the versions with those of this repository. */
export const COMPILER: Readonly<Record<string, string>> = { "@types/node": "^20.19.0", typescript: "^7.0.2" };

/** The manifest of a new package, for the versions of Kindling that this program was made with. */
export function manifestOf(name: string, language: Language): object {
  const isTyped = language === "typescript";
  const entry = isTyped
    ? { types: "./dist/src/index.d.ts", default: "./dist/src/index.js" }
    : { default: "./src/index.js" };
  return {
    name,
    version: "0.1.0",
    description: "A step for Kindling's submissions",
    keywords: ["kindling-step", "apache-spark", "kubernetes"],
    license: "UNLICENSED",
    type: "module",
    sideEffects: false,
    engines: { node: ">=20.19" },
    exports: { ".": entry, "./package.json": "./package.json" },
    files: isTyped ? ["dist/src", "src"] : ["src"],
    scripts: isTyped
      ? { build: "tsc", test: "tsc && node --test dist/test/index.test.js", prepack: "tsc" }
      : { test: "node --test" },
    peerDependencies: { "@kindling/core-spec": peerRange(coreSpec.version) },
    devDependencies: {
      "@kindling/core-spec": `^${coreSpec.version}`,
      "@kindling/steps": `^${steps.version}`,
      "@kindling/submit-cli": `^${submitCli.version}`,
      ...(isTyped && COMPILER),
    },
  };
}

/** Users of the step may have a newer Kindling: before its next major version, the contract of steps only gets additions. */
function peerRange(version: string): string {
  return version.startsWith("0.") ? `>=${version} <1.0.0` : `^${version}`;
}
