// Fetches the real servers and programs that tests use if they are present; see README.md.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

const root = process.env.KINDLING_TEST_SERVERS ?? join(homedir(), ".cache", "kindling-test-servers");
const run = (command, args, options = {}) => execFileSync(command, args, { stdio: "inherit", ...options });

function goProgram(name, env = {}) {
  const bin = join(root, "bin");
  mkdirSync(bin, { recursive: true });
  run("go", ["install", name], { cwd: root, env: { ...process.env, ...env, GOBIN: bin } });
}

function versitygw() {
  goProgram("github.com/versity/versitygw/cmd/versitygw@v1.8.0");
}

function helm() {
  goProgram("helm.sh/helm/v3/cmd/helm@v3.22.0");
}

function fakeGcs() {
  // The module may ask for a newer Go than the one that is here.
  goProgram("github.com/fsouza/fake-gcs-server@v1.56.1", { GOTOOLCHAIN: "auto" });
}

function azurite() {
  const folder = join(root, "azurite");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
  run("npm", ["install", "--no-audit", "--no-fund", "--omit=dev", "azurite@3.35.0"], { cwd: folder });
}

// Signs images and verifies their signatures.
function cosign() {
  goProgram("github.com/sigstore/cosign/v3/cmd/cosign@v3.1.3");
}

// Has a registry of images, and puts images into it.
function crane() {
  goProgram("github.com/google/go-containerregistry/cmd/crane@v0.22.1");
}

function hdfs() {
  const folder = join(root, "hdfs");
  mkdirSync(folder, { recursive: true });
  const here = import.meta.dirname ?? new URL(".", import.meta.url).pathname;
  cpSync(join(here, "hdfs-pom.xml"), join(folder, "pom.xml"));
  run("mvn", ["-B", "-q", "dependency:copy-dependencies", `-DoutputDirectory=${join(folder, "lib")}`], { cwd: folder });
  // The servers' web pages are not in the jars, but folders for them must exist.
  for (const page of ["hdfs", "datanode", "static"])
    mkdirSync(join(folder, "webapps", page, "WEB-INF"), { recursive: true });
  for (const program of ["OneNodeHdfs.java", "SecureHdfs.java"]) {
    cpSync(join(here, program), join(folder, program));
    run("javac", ["-cp", join(folder, "lib", "*"), "-d", folder, join(folder, program)]);
  }
  writeFileSync(join(folder, "ready"), "");
}

const wanted = process.argv.slice(2);
const servers = { versitygw, helm, "fake-gcs-server": fakeGcs, azurite, cosign, crane, hdfs };
for (const [name, fetch] of Object.entries(servers)) if (wanted.length === 0 || wanted.includes(name)) fetch();
