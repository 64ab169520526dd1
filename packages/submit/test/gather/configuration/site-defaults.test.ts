import { scratchFolder, type ScratchFolder } from "@kindling/test-kit/scratch-folder";
import { describe, expect, test } from "vitest";
import { configure } from "../../../src/gather/configuration/configure.ts";
import { effectiveEntries } from "../../../src/gather/configuration/effective-entries.ts";
import type { ConfigurationRequest } from "@kindling/core-spec";
import { stillOutside } from "../../fixtures/outside.ts";

const REQUEST: ConfigurationRequest = { conf: { "spark.a": "from --conf" } };

/** A machine with a file of every kind; each sets its own key and all keys of the files before it. */
function machine(): { folder: ScratchFolder; entries: (request: ConfigurationRequest) => Record<string, string> } {
  const folder = scratchFolder({
    "conf/spark-defaults.conf": "spark.a spark-defaults\nspark.b spark-defaults\n",
    "home/.config/kindling/defaults.conf": "spark.a user\nspark.b user\nspark.c user\n",
    "site.conf": "spark.a site\nspark.b site\nspark.c site\nspark.d site\n",
    "own.conf": "spark.e own\n",
  });
  return {
    folder,
    entries: (request) => ({ ...configure(request, outsideOf(folder), "this-machine").entries }),
  };
}

function outsideOf({ path }: ScratchFolder, env: Record<string, string> = {}): ReturnType<typeof stillOutside> {
  const usual = { SPARK_CONF_DIR: `${path}/conf`, HOME: `${path}/home`, KINDLING_SITE_CONFIG: `${path}/site.conf` };
  return stillOutside({ ...usual, ...env }, path);
}

describe("defaults of user and machine", () => {
  test("stand behind Spark's own, the user's before the machine's", () => {
    expect(machine().entries(REQUEST)).toMatchObject({
      "spark.a": "from --conf",
      "spark.b": "spark-defaults",
      "spark.c": "user",
      "spark.d": "site",
    });
  });

  test("hold beside a properties file too, in whose place spark-defaults.conf goes", () => {
    expect(machine().entries({ ...REQUEST, propertiesFile: "own.conf" })).toMatchObject({
      "spark.b": "user",
      "spark.d": "site",
      "spark.e": "own",
    });
  });

  test("are found below XDG_CONFIG_HOME, which must be a path from the root", () => {
    const { folder } = machine();
    folder.write("xdg/kindling/defaults.conf", "spark.c xdg\n");
    const withHome = (XDG_CONFIG_HOME: string): string | undefined =>
      configure(REQUEST, outsideOf(folder, { XDG_CONFIG_HOME }), "this-machine").entries["spark.c"];
    expect(withHome(`${folder.path}/xdg`)).toBe("xdg");
    expect(withHome("xdg")).toBe("user");
  });

  test("have to be there where they are asked for", () => {
    const { folder } = machine();
    const outside = outsideOf(folder, { KINDLING_SITE_CONFIG: `${folder.path}/nosuch.conf` });
    expect(() => configure(REQUEST, outside, "this-machine")).toThrow(/nosuch\.conf cannot be read: it does not exist/);
  });

  test("are not read for a submission that may not look at this machine", () => {
    const { folder } = machine();
    expect(configure(REQUEST, outsideOf(folder), "nothing").entries).not.toHaveProperty(["spark.c"]);
  });
});

describe("the effective entries", () => {
  test("have an origin each, and what it hides", () => {
    const { folder } = machine();
    const entries = effectiveEntries(REQUEST, outsideOf(folder));
    const [defaults, user, site] = ["conf/spark-defaults.conf", "home/.config/kindling/defaults.conf", "site.conf"].map(
      (path) => `${folder.path}/${path}`,
    );
    expect(entries.find(({ key }) => key === "spark.a")).toEqual({
      ...{ key: "spark.a", value: "from --conf", origin: "--conf" },
      hidden: [
        { origin: defaults, value: "spark-defaults" },
        { origin: user, value: "user" },
        { origin: site, value: "site" },
      ],
    });
    expect(entries.find(({ key }) => key === "spark.d")).toEqual({
      ...{ key: "spark.d", value: "site", origin: site, hidden: [] },
    });
  });

  test("are those of a submission", () => {
    const { folder, entries } = machine();
    const shown = effectiveEntries(REQUEST, outsideOf(folder)).map(({ key, value }) => [key, value]);
    const { "spark.app.name": _, ...submitted } = entries(REQUEST);
    expect(Object.fromEntries(shown)).toEqual(submitted);
  });
});
