// An action for tables: one that is wider than its place says that it scrolls.

export function sideways(table: HTMLElement) {
  const look = () => {
    table.toggleAttribute('data-wide', table.scrollWidth > table.clientWidth + 1);
  };
  const watch = new ResizeObserver(look);
  watch.observe(table);
  look();
  return { destroy: () => watch.disconnect() };
}
