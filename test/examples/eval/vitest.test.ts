// The tests of the example are those of this file.
// oxlint-disable-next-line import/no-unassigned-import -- it makes tests, and exports nothing
import "../../../examples/eval/vitest/answers.test.js";
