// @ts-check
/**
 * @typedef {object} Machine
 * @property {() => readonly { readonly model: string }[]} cpus
 * @property {() => number} totalmem
 * @property {() => string} type
 * @property {() => string} release
 * @property {() => string} arch
 */

/**
 * The hardware and software of a measurement in one line: enough to judge its figures, and nothing that identifies the
 * computer.
 *
 * @param {Machine} os Node's module `os`
 * @param {string} node Node's version
 */
export function describeMachine(os, node) {
  const cpus = os.cpus();
  const memory = `${Math.round(os.totalmem() / 1024 ** 3)} GiB of memory`;
  const kernel = `${os.type()} ${os.release().split("-", 1)[0]} (${os.arch()})`;
  return `Node ${node}, ${cpus.length} × ${cpus[0]?.model.trim() ?? "unknown processor"}, ${memory}, ${kernel}`;
}
