// An action for tables: one that is wider than its place says that it scrolls.

export function sideways(table: HTMLElement) {
  const place = table.parentElement ?? table;
  const look = () => {
    table.toggleAttribute('data-wide', table.scrollWidth > place.clientWidth + 1);
  };
  const watch = new ResizeObserver(look);
  watch.observe(table);
  watch.observe(place);
  look();
  return { destroy: () => watch.disconnect() };
}
