import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { scratchFolder } from "@kindling/test-kit/scratch-folder";

/** A folder that looks like an installation of Spark. */
export function sparkFolder(version: string, home: string = join(scratchFolder().path, `spark-${version}`)): string {
  for (const folder of ["bin", "sbin", "jars", "python/lib", "conf"])
    mkdirSync(join(home, folder), { recursive: true });
  const scala = version.startsWith("3") ? "2.12" : "2.13";
  writeFileSync(join(home, "jars", `spark-core_${scala}-${version}.jar`), "");
  program(join(home, "bin", "spark-submit"), 'printf "%s\\n" "$@"');
  return home;
}

/** Writes a shell script that can be run. */
export function program(path: string, text: string): void {
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, `#!/bin/sh\n${text}\n`, { mode: 0o755 });
}

/** A folder for the PATH, with a Java and a Python that report these versions. */
export function programs(versions: {
  readonly java?: string;
  readonly python?: string;
  readonly pyspark?: string;
}): string {
  const folder = join(scratchFolder().path, "bin");
  mkdirSync(folder);
  if (versions.java !== undefined) program(join(folder, "java"), javaText(versions.java, "/java/home"));
  if (versions.python !== undefined) {
    const asked = `case "$2" in *find_spec*) echo "${versions.pyspark ?? ""}";; *) printf "%s\\n" /py/bin/python3 ${versions.python} /py /usr;; esac`;
    program(join(folder, "python3"), asked);
  }
  return folder;
}

/** Prints the settings in the form of `java -XshowSettings:properties -version`. */
export function javaText(version: string, home: string): string {
  return `{ echo "    java.home = ${home}"; echo "    java.version = ${version}"; } >&2`;
}
