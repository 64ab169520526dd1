import { readFileSync } from "node:fs";
import type { Secret } from "kubernetes-types/core/v1.js";
import { resources } from "@kindling/kube";
import { expect, test, vi } from "vitest";
import { NAMESPACE } from "../fixtures/submission.ts";
import { canary, NOWHERE, wire } from "../fixtures/wire.ts";

// Each test starts a cluster, a staging server and a process or two.
vi.setConfig({ testTimeout: 60_000 });

test("C6: a bundle's secret goes into a Secret, and back to the staging server to bind the bundle", async () => {
  const scene = await wire();
  const ended = await scene.submit();
  expect(ended.code, ended.stderr).toBe(0);
  const { items } = await scene.client.listAll<Secret>(resources.secrets, { namespace: NAMESPACE });
  const [encoded = ""] = items.flatMap(({ data }) => data?.["bundle-secret"] ?? []);
  const secret = Buffer.from(encoded, "base64").toString();
  // 256 bits.
  expect(secret).toMatch(/^[\w-]{43}$/);
  expect(scene.staging.answered()).toContain(secret);
  expect(await scene.places({ secret })).toEqual({ secret: ["API server", "staging server", "Secret"] });
  const [pod] = (await scene.client.listAll(resources.pods, { namespace: NAMESPACE })).items;
  const mounting = (pod?.spec?.containers ?? []).flatMap(({ volumeMounts = [] }) =>
    volumeMounts.map(({ name }) => name),
  );
  const volume = pod?.spec?.volumes?.find(({ secret: source }) => source !== undefined)?.name ?? "";
  expect(mounting).not.toContain(volume);
  expect(pod?.spec?.initContainers?.[0]?.volumeMounts?.map(({ name }) => name)).toContain(volume);
  const owner = items.find(({ data }) => data?.["bundle-secret"] !== undefined)?.metadata?.ownerReferences?.[0];
  expect(owner).toMatchObject({ kind: "Pod", uid: pod?.metadata?.uid });
});

test("C7: what the driver is to prove itself with goes into Secrets, and not into its configuration", async () => {
  const scene = await wire();
  const secrets = { token: canary("driver-token"), key: canary("driver-key"), keytab: canary("keytab") };
  const ended = await scene.submit({
    keys: {
      "spark.kubernetes.authenticate.driver.oauthToken": secrets.token,
      "spark.kubernetes.authenticate.driver.clientKeyFile": scene.folder.write("driver.key", secrets.key),
      "spark.kubernetes.authenticate.driver.clientCertFile": scene.folder.write("driver.pem", "certificate"),
      "spark.kerberos.keytab": scene.folder.write("me.keytab", secrets.keytab),
      "spark.kerberos.principal": "me@REALM",
    },
  });
  expect(ended.code, ended.stderr).toBe(0);
  const place = ["API server", "Secret"];
  expect(await scene.places(secrets)).toEqual({ token: place, key: place, keytab: place });
});

test("C30: the secret of a sealed application is in its Secret alone", async () => {
  const scene = await wire();
  const ended = await scene.submit({ keys: { "spark.kindling.seal": "true" } });
  expect(ended.code, ended.stderr).toBe(0);
  const { items } = await scene.client.listAll<Secret>(resources.secrets, { namespace: NAMESPACE });
  const [encoded = ""] = items.flatMap(({ data }) => data?.["secret-text"] ?? []);
  const secret = Buffer.from(encoded, "base64").toString();
  // 256 bits.
  expect(secret).toMatch(/^[A-Za-z0-9+/]{43}=$/);
  expect(await scene.places({ secret })).toEqual({ secret: ["API server", "Secret"] });
});

test("C8: secrets of Spark's configuration go into the driver's ConfigMap, as with spark-submit, and are not printed", async () => {
  const scene = await wire();
  const secrets = {
    key: canary("s3a-key"),
    password: canary("key-store"),
    hadoop: canary("hadoop"),
    log: canary("log4j"),
  };
  scene.folder.write("hadoop/core-site.xml", `<configuration><!-- ${secrets.hadoop} --></configuration>`);
  scene.folder.write("spark/log4j2.properties", `appender.password = ${secrets.log}\n`);
  const ended = await scene.submit({
    keys: { "spark.hadoop.fs.s3a.secret.key": secrets.key, "spark.ssl.keyStorePassword": secrets.password },
    env: { HADOOP_CONF_DIR: `${scene.folder.path}/hadoop`, SPARK_CONF_DIR: `${scene.folder.path}/spark` },
  });
  expect(ended.code, ended.stderr).toBe(0);
  const place = ["API server", "ConfigMap"];
  expect(await scene.places(secrets)).toEqual({ key: place, password: place, hadoop: place, log: place });
});

test("C9: a store gets the name of the key and the session's token, and signatures instead of the key itself", async () => {
  const scene = await wire();
  const secrets = { id: canary("key-id"), key: canary("secret-key"), session: canary("session") };
  const ended = await scene.submit({
    keys: {
      "spark.kubernetes.file.upload.path": "s3a://bucket/uploads",
      "spark.hadoop.fs.s3a.path.style.access": "true",
    },
    env: {
      AWS_ENDPOINT_URL: scene.store.url,
      AWS_ACCESS_KEY_ID: secrets.id,
      AWS_SECRET_ACCESS_KEY: secrets.key,
      AWS_SESSION_TOKEN: secrets.session,
    },
  });
  expect(ended.code, ended.stderr).toBe(0);
  expect(scene.store.received()).toContain("PUT /bucket/uploads/");
  expect(await scene.places(secrets)).toEqual({ id: ["object store"], key: NOWHERE, session: ["object store"] });
});

test("C10: a program that is run gets no credentials as arguments", async () => {
  const secrets = { api: canary("api"), repository: canary("repository") };
  const scene = await wire({ adminToken: secrets.api });
  const argv = `${scene.folder.path}/argv`;
  const status = JSON.stringify({ token: secrets.api });
  const answer = `{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":${status}}`;
  const command = scene.folder.writeScript("plug-in", `echo "$0 $*" >> ${argv}\necho '${answer}'`);
  scene.folder.writeScript(
    "bin/cs",
    `echo "$0 $*" >> ${argv}
while [ "$1" != --json-output-file ]; do shift; done
echo '{"dependencies": []}' > "$2"`,
  );
  const ended = await scene.submit({
    user: { exec: { apiVersion: "client.authentication.k8s.io/v1", command, interactiveMode: "Never" } },
    keys: {
      "spark.jars.packages": "org.x:a:1",
      "spark.jars.repositories": `https://me:${secrets.repository}@repo.example/maven`,
      "spark.kubernetes.authenticate.driver.oauthToken": canary("driver-token"),
    },
    env: { PATH: `${scene.folder.path}/bin:${process.env["PATH"] ?? ""}` },
  });
  expect(ended.code, ended.stderr).toBe(0);
  const ran = readFileSync(argv, "utf8");
  expect(ran).toContain("plug-in");
  expect(ran).toContain("--repository https://repo.example/maven");
  expect(ran).not.toContain("canary");
  expect(await scene.places(secrets)).toEqual({ api: ["API server"], repository: NOWHERE });
});
