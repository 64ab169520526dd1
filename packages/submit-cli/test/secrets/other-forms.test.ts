import { beforeEach, describe, expect, test } from "vitest";
import { kindling } from "../fixtures/kindling-process.ts";
import { scratchFolder, type ScratchFolder } from "@kindling/test-kit/scratch-folder";
import { APP, conf, flagsFor } from "../fixtures/submission.ts";

const SECRET = "hunter2-Xq7";

/** Nothing listens there: a command that only shows objects asks nobody. */
const cluster = { url: "http://127.0.0.1:1" };
const OTHER = "horse-battery-9";

/** Files of a configuration folder; none of their secrets may be shown. */
const FILES: readonly [name: string, content: string][] = [
  ["final-site.xml", `<property><name>a.secret.key</name><final>true</final><value>${SECRET}</value></property>`],
  ["order-site.xml", `<property><value>${SECRET}</value><name>a.secret.key</name></property>`],
  ["attribute-site.xml", `<property name="a.secret.key" value="${SECRET}"/>`],
  ["cdata-site.xml", `<property><name>a.secret.key</name><value><![CDATA[${SECRET}]]></value></property>`],
  ["element.xml", `<server><password>${SECRET}</password></server>`],
  ["log4j2.xml", `<Properties><Property name="db.password">${SECRET}</Property></Properties>`],
  ["blanks.sh", `export API_KEY="correct ${SECRET}"\nexport PASSWORD=a\\ ${OTHER}\n`],
  ["curl.sh", `curl -H 'Authorization: Bearer ${SECRET}' https://host/\n`],
  ["comment.sh", `# password = correct ${SECRET}\n`],
  ["db-password", SECRET],
  ["server.pem", `-----BEGIN RSA PRIVATE KEY-----\n${SECRET}\n${OTHER}\n-----END RSA PRIVATE KEY-----\n`],
  ["comment.yaml", `a: 1\n# password: ${SECRET}\n`],
  ["nested.yaml", `tokens:\n  github: ${SECRET}\n  list: [${OTHER}]\n`],
  ["several.yaml", `a: 1\n---\npassword: >\n  ${SECRET}\n`],
  ["number.yaml", "password: 314159265358\n"],
  ["nested.json", `{"credentials": {"user": "${OTHER}", "of": {"it": "${SECRET}"}}}`],
  ["comment.properties", `a=1\n# x.password=${SECRET}\n`],
  ["twice.properties", `options=--password ${SECRET}\noptions=none\n`],
  ["continued.conf", `password \\\n = ${SECRET}\n`],
  ["hocon.conf", `db { password : """correct ${SECRET}""" }\n`],
];

/** Values of a template's own fields. */
const VALUES: readonly [name: string, spec: object][] = [
  ["options of a mount", volume({ mountOptions: `vers=3.0,username=app,password=${SECRET}` })],
  ["JSON in a volume's attribute", volume({ login: `{"user": "app", "password": "correct ${SECRET}"}` })],
  ["JSON in JSON", container({ env: [{ name: "LOGIN", value: `{\\"password\\": \\"correct ${SECRET}\\"}` }] })],
  ["a variable with a proof", container({ env: [{ name: "HEADER", value: `Bearer ${SECRET}` }] })],
  ["a URI with escapes", container({ env: [{ name: "TO", value: `https%3A%2F%2Fapp%3A${SECRET}%40host` }] })],
  ["a login of Oracle's", container({ env: [{ name: "DB", value: `jdbc:oracle:thin:app/${SECRET}@host:1521/x` }] })],
  ["a JSON Web Token", container({ args: [`eyJhbGciOiJub25lIn0.eyJzdWIiOiJtZSJ9.${SECRET}`] })],
  [
    "a header of a probe",
    container({ livenessProbe: probe({ httpHeaders: [{ name: "Authorization", value: `Basic ${SECRET}` }] }) }),
  ],
  ["the path of a probe", container({ livenessProbe: probe({ path: `/health?token=${SECRET}` }) })],
];

let folder: ScratchFolder;

beforeEach(() => {
  folder = scratchFolder();
});

describe("a secret is not shown", () => {
  test.each(FILES)("that is in a file %s", async (name, content) => {
    folder.write(`conf/${name}`, content);
    const shown = await dryRun([], { SPARK_CONF_DIR: `${folder.path}/conf`, HADOOP_CONF_DIR: `${folder.path}/conf` });
    expect(shown).toContain(name);
    for (const secret of [SECRET, OTHER, "314159265358"]) expect(shown).not.toContain(secret);
  });

  test.each(VALUES)("that is in %s", async (_, spec) => {
    expect(await dryRun(templated(spec))).not.toContain(SECRET);
  });
});

test("what only looks like one is shown", async () => {
  const spec = {
    ...container({ image: "registry.example/token:1.2", args: ["the bearer certificate", "--tokens=2"] }),
    volumes: [{ name: "v", projected: { sources: [{ secret: { name: "db-login" } }] } }],
  };
  const shown = await dryRun([
    ...templated(spec),
    ...conf({ "spark.kubernetes.executor.podTemplateFile": folder.path + "/template.json" }),
  ]);
  for (const text of ["registry.example/token:1.2", "the bearer certificate"]) expect(shown).toContain(text);
  // Also in the executors' template, which is a file of a ConfigMap.
  expect(shown.match(/db-login/g)?.length).toBe(2);
});

test.each([
  "<property",
  "<value>",
  "-eyJ",
  'token="""',
  "token='\\",
  "Bearer 1",
  "-----BEGIN PRIVATE KEY-----",
  "token= 'a ",
])("a file of many %j is looked through at once", async (part) => {
  folder.write("conf/long.sh", part.repeat(600_000 / part.length));
  expect(await dryRun([], { SPARK_CONF_DIR: `${folder.path}/conf` })).toContain("long.sh");
});

test.each(["[", "{a: ", "- ", "? "])("a file of %j without end does not end the process", async (part) => {
  folder.write("conf/deep.yaml", `password: ${SECRET}\n${part.repeat(30_000)}`);
  const shown = await dryRun([], { SPARK_CONF_DIR: `${folder.path}/conf` });
  expect(shown).toContain("deep.yaml");
  expect(shown).not.toContain(SECRET);
});

async function dryRun(flags: readonly string[], env: Record<string, string> = {}): Promise<string> {
  const { code, stdout, stderr } = await kindling(["submit", "--dry-run", ...flagsFor(cluster), ...flags, ...APP], {
    env,
  });
  expect({ code, stderr }).toMatchObject({ code: 0 });
  return stdout + stderr;
}

function templated(spec: object): string[] {
  folder.write("template.json", JSON.stringify({ spec: { ...container({}), ...spec } }));
  return conf({ "spark.kubernetes.driver.podTemplateFile": `${folder.path}/template.json` });
}

function container(fields: object): object {
  return { initContainers: [{ name: "c", image: "i", ...fields }] };
}

function probe(httpGet: object): object {
  return { httpGet: { port: 80, ...httpGet } };
}

function volume(volumeAttributes: object): object {
  return { volumes: [{ name: "v", csi: { driver: "smb.csi.k8s.io", volumeAttributes } }] };
}
