// Places that fill up later. Each says what will appear there, and how.
export function Bundles() {
  return (
    <section class="empty" aria-label="Bundles">
      <h1>Bundles</h1>
      <p>
        A bundle is what an agent sees of a project for one task: in a fixed order, inside a budget, with the reason for
        every file. Build one in a terminal:
      </p>
      <pre>bearings load --task "review the visual rules"</pre>
      <p class="quiet">
        Why is a file in, cut or out? <code>bearings explain PATH --task "…"</code>
      </p>
    </section>
  );
}

export function Runs() {
  return (
    <section class="empty" aria-label="Runs">
      <h1>Runs</h1>
      <p>A run is a task of several steps, each with exactly the context it asked for. Start one in a terminal:</p>
      <pre>bearings run examples/tasks/release-notes.xml</pre>
      <p class="quiet">
        Is a task well formed? <code>bearings check FILE --explain</code>
      </p>
    </section>
  );
}
