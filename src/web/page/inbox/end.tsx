import { useEffect, useRef } from 'preact/hooks';

// A line of no height below what is decided on: once it is in view, all of that was.
export function End({ onSeen }: { onSeen: () => void }) {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) onSeen();
      },
      { root: ref.current?.closest('.scroll') ?? null },
    );
    if (ref.current) observer.observe(ref.current);
    return () => observer.disconnect();
  }, [onSeen]);
  return <div class="item-end" ref={ref} aria-hidden="true" />;
}
