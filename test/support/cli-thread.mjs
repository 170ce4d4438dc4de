/** A thread that runs the built program once for each list of arguments it is sent, and sends back what a process would leave:
 *  exit code and output. Only the program's first file is evaluated anew each time; its parts stay loaded, which spares most of
 *  a process's time. Plain JavaScript, since worker threads of Node 20 load no TypeScript. */
import { pathToFileURL } from "node:url";
import { workerData } from "node:worker_threads";

const { program, port, done } = workerData;
const url = pathToFileURL(program).href;
const written = { stdout: [], stderr: [] };

for (const name of ["stdout", "stderr"]) {
  process[name].write = (chunk, encoding, callback) => {
    written[name].push(typeof chunk === "string" ? Buffer.from(chunk) : chunk);
    (typeof encoding === "function" ? encoding : callback)?.();
    return true;
  };
}
// Node prints these to the terminal behind the streams' back
process.on("warning", (warning) => written.stderr.push(Buffer.from(`${warning}\n`)));

const take = (name) => {
  const text = Buffer.concat(written[name]).toString("utf8");
  written[name].length = 0;
  return text;
};

/** The main thread sleeps until it is woken, whatever became of the run. */
function wake() {
  Atomics.store(done, 0, 1);
  Atomics.notify(done, 0);
}
process.on("exit", wake);

let runs = 0;
port.on("message", async (args) => {
  process.argv = [process.execPath, program, ...args];
  process.exitCode = undefined;
  const before = process.cpuUsage();
  try {
    await import(`${url}?run=${++runs}`);
  } catch (error) {
    process.exitCode = 1;
    process.stderr.write(`${error?.stack ?? error}\n`);
  }
  for (const name of ["stdout", "stderr"]) process[name].removeAllListeners("error");
  const { user, system } = process.cpuUsage(before);
  const seconds = (user + system) / 1e6;
  port.postMessage({ status: process.exitCode ?? 0, stdout: take("stdout"), stderr: take("stderr"), seconds });
  process.exitCode = undefined;
  wake();
});
