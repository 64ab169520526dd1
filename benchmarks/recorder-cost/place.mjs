// @ts-check

/**
 * Where applications run.
 *
 * @typedef {object} Place
 * @property {import("@kindling/kube").KubeClient} client
 * @property {string} namespace of applications
 * @property {string} system the namespace of the installation
 * @property {readonly string[]} flags of every submission
 * @property {string} examples Spark's examples, as the image has them
 */
export {};
