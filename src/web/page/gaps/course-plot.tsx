import { courseOf } from '../../gap-course.ts';
import { counted, dayOf } from '../words.ts';

const WIDTH = 640;
const HEIGHT = 64;
const GAP = 2;

// How often it was missed, from the first time until today.
export function CoursePlot({ times }: { times: readonly string[] }) {
  const course = courseOf(times, Date.now());
  if (!course) return null;
  const { counts, days, from, to } = course;
  const most = Math.max(...counts);
  const width = WIDTH / counts.length;
  const span = days === 1 ? 'a day' : `${days} days`;
  return (
    <figure class="plot course">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${counted(times.length, 'record')} from ${dayOf(from)} to ${dayOf(to)}, at most ${most} in ${span}`}
      >
        {counts.map((count, at) => {
          const height = (count / most) * (HEIGHT - 2);
          return (
            <rect
              key={at}
              class="bars written"
              x={at * width}
              y={HEIGHT - height}
              width={Math.max(1, width - GAP)}
              height={height}
            />
          );
        })}
      </svg>
      <figcaption>
        <span>{dayOf(from)}</span>
        <span>
          at most {most} in {span}
        </span>
        <span>{dayOf(to)}</span>
      </figcaption>
    </figure>
  );
}
