import { edgesOf, type Place, placesOf } from "../model/layers.js";
import { shortText, type StepView } from "../model/plan-view.js";
import { useWords } from "../text/context.js";

type Props = {
  readonly steps: readonly StepView[];
  readonly critical: ReadonlySet<string>;
  readonly chosen: string | undefined;
  readonly onChoose: (key: string) => void;
};

/** The size of a step in the picture, and the room around it. */
const size = { width: 150, height: 44, gapX: 16, gapY: 34, margin: 8 };

/** The steps of a plan as a picture: what waits for others stands below them. */
export function PlanGraph({ steps, critical, chosen, onChoose }: Props) {
  const words = useWords();
  const own = steps.filter(({ row }) => !row.isLoose && !row.isInside && !row.isNested);
  const places = placesOf(own);
  if (places.length < 2) return null;
  const byId = new Map(places.map((place) => [place.id, place]));
  const perRow = countRows(places);
  const widest = Math.max(...perRow.values());
  const width = widest * (size.width + size.gapX) - size.gapX + 2 * size.margin;
  const height = perRow.size * (size.height + size.gapY) - size.gapY + 2 * size.margin;
  const at = ({ row, column }: Place) => {
    const free = (widest - (perRow.get(row) ?? 1)) * (size.width + size.gapX);
    return {
      x: size.margin + free / 2 + column * (size.width + size.gapX),
      y: size.margin + row * (size.height + size.gapY),
    };
  };
  const lineOf = ([from, to]: readonly [string, string]) => {
    const [above, below] = [byId.get(from), byId.get(to)];
    if (above === undefined || below === undefined) return null;
    const isCritical = critical.has(from) && critical.has(to);
    return <path class={isCritical ? "edge critical" : "edge"} d={curve(at(above), at(below))} />;
  };
  return (
    <div class="graph" tabIndex={0} role="region" aria-label={words.plan}>
      <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
        {edgesOf(own).map(lineOf)}
        {own.map((step) => {
          const place = byId.get(step.id);
          return place === undefined ? null : (
            <Node
              step={step}
              place={at(place)}
              isChosen={step.key === chosen}
              isCritical={critical.has(step.id)}
              onChoose={onChoose}
            />
          );
        })}
      </svg>
    </div>
  );
}

type Point = { readonly x: number; readonly y: number };

type NodeProps = {
  readonly step: StepView;
  readonly place: Point;
  readonly isChosen: boolean;
  readonly isCritical: boolean;
  readonly onChoose: (key: string) => void;
};

/** The list says the same to whoever hears the page, so the picture is for the eye and the mouse alone. */
function Node({ step, place: { x, y }, isChosen, isCritical, onChoose }: NodeProps) {
  const { id, key, state, title, tool } = step;
  const marks = [state, ...(isChosen ? ["chosen"] : []), ...(isCritical ? ["critical"] : [])].join(
    " ",
  );
  return (
    <g class={`node ${marks}`} transform={`translate(${x} ${y})`} onClick={() => onChoose(key)}>
      <title>{`${id} ${tool}: ${title}`}</title>
      <rect width={size.width} height={size.height} rx={8} />
      <text x={10} y={18} class="id">{`${id} ${shortText(tool, 14)}`}</text>
      <text x={10} y={35}>
        {shortText(title, 22)}
      </text>
    </g>
  );
}

function countRows(places: readonly Place[]): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const { row } of places) counts.set(row, (counts.get(row) ?? 0) + 1);
  return counts;
}

function curve(above: Point, below: Point): string {
  const [x1, y1] = [above.x + size.width / 2, above.y + size.height];
  const [x2, y2] = [below.x + size.width / 2, below.y];
  const bend = Math.min(40, (y2 - y1) / 2);
  return `M${x1} ${y1} C${x1} ${y1 + bend} ${x2} ${y2 - bend} ${x2} ${y2}`;
}
