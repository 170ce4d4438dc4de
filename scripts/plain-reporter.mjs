/** Closes a run with the plain line `N passed, N failed, N skipped`, and lists what was skipped and why. */
export default class PlainReporter {
  onTestRunEnd(modules) {
    const count = { passed: 0, failed: 0, skipped: 0 };
    const skipped = new Set();
    for (const module of modules) {
      if (module.state() === "failed" && module.errors().length > 0) count.failed += 1;
      // what fails before or after the tests of a group leaves them skipped
      for (const group of module.children.allSuites()) count.failed += group.errors().length > 0 ? 1 : 0;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === "passed" || state === "failed") count[state] += 1;
        else {
          count.skipped += 1;
          skipped.add(`skipped: ${test.fullName}`);
        }
      }
    }
    for (const line of skipped) process.stdout.write(`${line}\n`);
    process.stdout.write(`\n${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped\n`);
  }
}
