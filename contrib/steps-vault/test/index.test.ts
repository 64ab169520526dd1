import type { ConfigMap } from "@kindling/core-spec";
import { examineStep, sampleExecutor, sampleSubmission } from "@kindling/core-spec/testing";
import { driverPodWith, executorPodWith } from "@kindling/steps/testing";
import { describe, expect, test } from "vitest";
import vault from "../src/index.ts";

const KEY = "spark.kindling.vault";
const TEMPLATE = '{{ with secret "secret/data/db" }}{{ .Data.data.password }}{{ end }}';
const INJECTED = {
  [`${KEY}.role`]: "etl",
  [`${KEY}.secret.db`]: "secret/data/db",
  [`${KEY}.template.db`]: TEMPLATE,
  [`${KEY}.secret.api-key`]: "secret/data/api",
};
const AGENT = { ...INJECTED, [`${KEY}.mode`]: "agent", [`${KEY}.address`]: "https://vault.example.com:8200" };

const TOKEN = {
  name: "vault-token",
  projected: { sources: [{ serviceAccountToken: { audience: "vault", expirationSeconds: 3600, path: "token" } }] },
};

test.each([INJECTED, AGENT])("it is pure, additive and deterministic, and declares what it reads", (conf) => {
  const examination = {
    submissions: [sampleSubmission(), sampleSubmission({ conf })],
    executors: [sampleExecutor(), sampleExecutor({ conf })],
  };
  expect(examineStep(vault, examination)).toEqual([]);
});

const cases = ["3.5.9", "4.3.0"].flatMap((version) =>
  (["driver", "gateway"] as const).map((by) => [version, by] as const),
);

describe.each(cases)("with Spark %s, and executors by the %s", (sparkVersion, executorsBy) => {
  const made = (conf: Readonly<Record<string, string>>) => {
    const options = { sparkVersion, executorsBy, conf };
    return [driverPodWith(vault, options), executorPodWith(vault, options)];
  };

  test("the injector is asked for the files, and given a token for Vault that Spark does not see", () => {
    for (const { pod, container } of made(INJECTED)) {
      expect(pod.metadata?.annotations).toMatchObject({
        "vault.hashicorp.com/agent-inject": "true",
        "vault.hashicorp.com/role": "etl",
        "vault.hashicorp.com/agent-inject-secret-db": "secret/data/db",
        "vault.hashicorp.com/agent-inject-template-db": TEMPLATE,
        "vault.hashicorp.com/agent-inject-secret-api-key": "secret/data/api",
        "vault.hashicorp.com/agent-service-account-token-volume-name": "vault-token",
      });
      expect(pod.spec?.volumes).toContainEqual(TOKEN);
      expect(container.volumeMounts?.map(({ name }) => name)).not.toContain("vault-token");
    }
  });

  test("no sidecar keeps a pod from ending", () => {
    for (const { pod } of made(INJECTED)) {
      expect(pod.metadata?.annotations?.["vault.hashicorp.com/agent-pre-populate-only"]).toBe("true");
    }
  });

  test("an agent of their own writes the files before Spark starts", () => {
    for (const { pod, container } of made(AGENT)) {
      const agents = pod.spec?.initContainers ?? [];
      expect(agents.map(({ name, image, command }) => ({ name, image, command }))).toEqual([
        {
          name: "vault-agent-init",
          image: "hashicorp/vault:2.0.4",
          command: ["vault", "agent", "-config=/vault/config/once.json"],
        },
      ]);
      expect(pod.spec?.volumes).toContainEqual(TOKEN);
      expect(container.volumeMounts).toContainEqual({
        name: "vault-secrets",
        mountPath: "/vault/secrets",
        readOnly: true,
      });
      expect(Object.keys(pod.metadata?.annotations ?? {}).filter((name) => name.includes("vault"))).toEqual([]);
    }
  });

  test("driver and executors read one configuration, which is there before them", () => {
    const [driver, executor] = made(AGENT);
    const nameIn = (pod: typeof driver): unknown =>
      pod?.pod.spec?.volumes?.find(({ name }) => name === "vault-config")?.configMap?.name;
    const configMap = driver?.resources.find(({ metadata }) => metadata.name === nameIn(driver)) as
      | ConfigMap
      | undefined;
    expect(nameIn(executor)).toBe(configMap?.metadata.name);
    expect(JSON.parse(configMap?.data?.["once.json"] ?? "")).toMatchObject({
      exit_after_auth: true,
      vault: { address: "https://vault.example.com:8200" },
      auto_auth: { method: { type: "kubernetes", mount_path: "auth/kubernetes", config: { role: "etl" } } },
      template: [
        { destination: "/vault/secrets/db", contents: TEMPLATE },
        { destination: "/vault/secrets/api-key", contents: expect.stringContaining('secret "secret/data/api"') },
      ],
    });
  });

  test("an agent that renews the files is a sidecar that ends with the pod", () => {
    for (const { pod } of made({ ...AGENT, [`${KEY}.refresh`]: "true" })) {
      const agents = pod.spec?.initContainers?.map(({ name, restartPolicy }) => [name, restartPolicy]);
      expect(agents).toEqual([
        ["vault-agent-init", undefined],
        ["vault-agent", "Always"],
      ]);
    }
  });
});

test("what else Vault needs is passed on in both ways", () => {
  const more = {
    [`${KEY}.authPath`]: "auth/cluster-a",
    [`${KEY}.namespace`]: "teams/search",
    [`${KEY}.caSecret`]: "vault-ca",
    [`${KEY}.audience`]: "https://vault.example.com",
  };
  expect(driverPodWith(vault, { conf: { ...INJECTED, ...more } }).pod.metadata?.annotations).toMatchObject({
    "vault.hashicorp.com/auth-path": "auth/cluster-a",
    "vault.hashicorp.com/namespace": "teams/search",
    "vault.hashicorp.com/tls-secret": "vault-ca",
    "vault.hashicorp.com/ca-cert": "/vault/tls/ca.crt",
  });
  const { pod, resources } = driverPodWith(vault, { conf: { ...AGENT, ...more } });
  expect(pod.spec?.volumes).toContainEqual({ name: "vault-tls", secret: { secretName: "vault-ca" } });
  expect(JSON.stringify(resources)).toContain("teams/search");
});

test("a role without a secret is refused", () => {
  const refused = (): unknown => driverPodWith(vault, { conf: { [`${KEY}.role`]: "etl" } });
  expect(refused).toThrow(`${KEY}.role is set, and no secret is named`);
});

test("without a role nothing changes", () => {
  expect(driverPodWith(vault)).toEqual(driverPodWith([]));
  expect(executorPodWith(vault)).toEqual(executorPodWith([]));
});

test.each<[Readonly<Record<string, string>>, string, string]>([
  [{ [`${KEY}.mode`]: "agent" }, "CONF_MISSING", `${KEY}.address is not set, and ${KEY}.mode=agent needs it`],
  [{ [`${KEY}.refresh`]: "true" }, "CONF_CONFLICT", `${KEY}.refresh cannot be set with ${KEY}.mode=injector`],
  [{ [`${KEY}.template.other`]: "x" }, "CONF_MISSING", `${KEY}.template.other has no ${KEY}.secret.other`],
  [{ [`${KEY}.secret.Db`]: "secret/data/db" }, "CONF_INVALID", `${KEY}.secret.Db: "Db" is no name of a file`],
  [{ [`${KEY}.secret.x`]: 'a"}}b/c' }, "CONF_INVALID", `${KEY}.secret.x: `],
  [{ [`${KEY}.audience`]: "api" }, "CONF_INVALID", `${KEY}.audience: `],
  [{ [`${KEY}.address`]: "vault:8200" }, "CONF_INVALID", `${KEY}.address: `],
])("%j is refused as %s", (conf, code, message) => {
  const refused = (): unknown => driverPodWith(vault, { conf: { ...INJECTED, ...conf } });
  expect(refused).toThrow(expect.objectContaining({ code, message: expect.stringContaining(message) as string }));
});
