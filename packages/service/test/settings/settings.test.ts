import fc from "fast-check";
import { expect, test } from "vitest";
import { commandHelp } from "@kindling/command-line";
import {
  count,
  flagOf,
  load,
  port,
  settingMissing,
  type SettingsProgram,
  type SettingSources,
  settingsReference,
  settingsUsage,
  text,
  variableOf,
} from "../../src/settings/index.ts";

interface Config {
  readonly "listen.port": number;
  readonly "limits.minRateWindow": number;
  readonly "tls.certFile": string | undefined;
}

const PROGRAM: SettingsProgram<Config> = {
  name: "my-service",
  summary: "do something",
  prefix: "MY_SERVICE",
  settings: {
    "listen.port": { type: port, default: "8080", doc: "Port that is served.", alternatives: ["old.port"] },
    "limits.minRateWindow": { type: count, default: "100", doc: "A `window`, or | another." },
    "tls.certFile": { type: text, default: undefined, doc: "Certificate." },
  },
  examples: ["my-service --listen-port 80"],
  isForeign: (key) => key.startsWith("spark."),
};

function read({ file, ...sources }: Partial<SettingSources> & { readonly file?: string } = {}): Config {
  const env = file === undefined ? {} : { MY_SERVICE_CONFIG: "my.properties" };
  return load(PROGRAM, { args: [], readFile: () => file ?? "", ...sources, env: { ...env, ...sources.env } });
}

test("a flag counts before the environment, the environment before the file, and the file before the default", () => {
  expect(read()).toEqual({ "listen.port": 8080, "limits.minRateWindow": 100, "tls.certFile": undefined });
  const written = fc.option(fc.integer({ min: 1, max: 65_535 }), { nil: undefined });
  fc.assert(
    fc.property(written, written, written, (flag, variable, line) => {
      const config = read({
        args: flag === undefined ? [] : [`--listen-port=${flag}`],
        env: variable === undefined ? {} : { MY_SERVICE_LISTEN_PORT: String(variable) },
        file: line === undefined ? "" : `listen.port = ${line}\n`,
      });
      expect(config["listen.port"]).toBe(flag ?? variable ?? line ?? 8080);
    }),
  );
});

test("the file may use other names of a setting, and hold keys that are meant for others", () => {
  expect(read({ file: "old.port=1\nspark.app.name=x\n" })["listen.port"]).toBe(1);
  expect(read({ file: "old.port=1\nlisten.port=2\n" })["listen.port"]).toBe(2);
});

test("variables that are no settings are passed over", () => {
  expect(read({ env: { MY_SERVICE_PORT: "tcp://10.96.0.1:80", MY_SERVICE_SERVICE_HOST: "x" } })["listen.port"]).toBe(
    8080,
  );
});

test.each<[Partial<SettingSources> & { readonly file?: string }, string, RegExp, string?]>([
  [{ args: ["--listen-prot", "1"] }, "ARGUMENT_INVALID", /--listen-prot/, "did you mean --listen-port?"],
  [
    { args: ["--listen-port", "70000"] },
    "CONF_INVALID",
    /^--listen-port: expected a port from 0 to 65535, got "70000"$/,
  ],
  [{ env: { MY_SERVICE_LISTEN_PORT: "70000" } }, "CONF_INVALID", /^MY_SERVICE_LISTEN_PORT: expected a port/],
  [{ file: "old.port=70000" }, "CONF_INVALID", /^old\.port in my\.properties: expected a port/],
  [
    { file: "listen.prot=1" },
    "ARGUMENT_INVALID",
    /in my\.properties called listen\.prot$/,
    "did you mean listen.port?",
  ],
  [{ file: "nothing.like.it=1" }, "ARGUMENT_INVALID", /nothing\.like\.it/, "my-service --help lists them all"],
  [{ file: "\nlisten.port=\\u00zz" }, "FILE_UNPARSABLE", /^my\.properties:2: /],
])("%j is refused", (sources, code, message, hint) => {
  const expected = { code, message: expect.stringMatching(message) as string, ...(hint !== undefined && { hint }) };
  expect(() => read(sources)).toThrow(expect.objectContaining(expected));
});

test("a flag and a variable are spelled like their setting", () => {
  expect(flagOf("limits.minRateWindow")).toBe("--limits-min-rate-window");
  expect(variableOf("MY_SERVICE", "limits.minRateWindow")).toBe("MY_SERVICE_LIMITS_MIN_RATE_WINDOW");
  expect(settingMissing("tls.keyFile", "it is needed")).toMatchObject({
    message: "tls.keyFile is not set, and it is needed",
    hint: "set it, or pass --tls-key-file",
  });
});

test("help and reference have every setting", () => {
  const help = commandHelp(settingsUsage(PROGRAM), PROGRAM.name, { colors: false });
  const reference = settingsReference(PROGRAM.settings, "# Settings\n");
  for (const name of Object.keys(PROGRAM.settings)) {
    expect(help).toContain(`${flagOf(name)} `);
    expect(reference).toContain(`| \`${name}\` |`);
  }
  expect(help).toContain("MY_SERVICE_LISTEN_PORT");
  expect(reference).toContain("A `window`, or \\| another.");
  expect(reference).toMatch(/^# Settings\n\n## listen\n/);
});
