import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Finished, RunningProcess } from "@kindling/test-kit/running-process";
import { Machine, program } from "./dev-process.ts";

/** A machine with a Spark that runs a script for Node as driver: the last argument of the application. */
export class DriverMachine extends Machine {
  /** @param script the text of the driver; it gets the path of Spark's properties as argument */
  constructor(script: string) {
    super();
    const words = 'while [ "$1" != "--properties-file" ]; do shift; done; conf=$2; for last; do :; done';
    program(join(this.spark, "bin", "spark-submit"), `${words}\nexec '${process.execPath}' "$last" "$conf"`);
    writeFileSync(join(this.folder, "application.py"), "");
    writeFileSync(join(this.folder, "driver.mjs"), script);
  }

  /** Submits an application to its end, as a user who has exported what `up` prints. */
  submit(name: string, ...flags: readonly string[]): Promise<Finished> {
    return this.kindling("submit", "--name", name, ...flags, ...APPLICATION);
  }

  /** Begins `kindling dev run`. */
  run(...flags: readonly string[]): RunningProcess {
    return this.start("run", "--", ...flags, ...APPLICATION);
  }
}

// A real driver copies files that Spark serves into its working directory; this one does not.
const APPLICATION = [
  ...["--conf", "spark.kindling.localizer.sparkFilesMaxSize=0"],
  ...["--files", "driver.mjs", "application.py", "driver.mjs"],
];

/** What the drivers of several tests begin with: the configuration of the application, by key. */
export const PROPERTY_OF = `
import { readFileSync } from "node:fs";
const properties = readFileSync(process.argv[2], "utf8");
const property = (name) => new RegExp("^" + name.replaceAll(".", "\\\\.") + "=(.*)$", "m").exec(properties)?.[1].replaceAll("\\\\", "");
`;
