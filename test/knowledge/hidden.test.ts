import { describe, expect, it } from "vitest";

import { hiddenInTables } from "../../src/knowledge/read/hidden.js";

/** What LibreOffice writes, without what says nothing about it. */
const content = `
<style:style style:name="co1" style:family="table-column"><style:table-column-properties/></style:style>
<style:style style:name="ta1" style:family="table"><style:table-properties table:display="true"/></style:style>
<style:style style:name="ta2" style:family="table"><style:table-properties table:display="false"/></style:style>
<table:table table:name="A &amp; B" table:style-name="ta1">
  <table:table-column table:style-name="co1" table:number-columns-repeated="2"/>
  <table:table-column table:style-name="co1" table:visibility="collapse"/>
  <table:table-row table:style-name="ro1"><table:table-cell/></table:table-row>
  <table:table-row table:number-rows-repeated="2" table:visibility="filter"><table:table-cell/></table:table-row>
  <table:table-row table:visibility="visible"><table:table-cell/></table:table-row>
  <table:table-row table:number-rows-repeated="1048572" table:visibility="collapse"/>
</table:table>
<table:table table:name="Notes" table:style-name="ta2">
  <table:table-row><table:table-cell/></table:table-row>
</table:table>`;

describe("an OpenDocument hides", () => {
  const hidden = hiddenInTables(content);

  it.each([
    { name: "A & B", sheet: false, rows: [1, 2, 4, 5], columns: [2] },
    { name: "Notes", sheet: true, rows: [], columns: [] },
  ])("what its styles and rows say: $name", ({ name, sheet, rows, columns }) => {
    const found = hidden.get(name);
    const first = [0, 1, 2, 3, 4, 5];
    expect(found?.sheet).toBe(sheet);
    expect(first.filter((at) => found?.row(at))).toEqual(rows);
    expect(first.filter((at) => found?.column(at))).toEqual(columns);
  });

  it("nothing where there is nothing", () => {
    expect(hiddenInTables("").size).toBe(0);
  });
});
