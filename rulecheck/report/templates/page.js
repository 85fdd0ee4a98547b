const open = (node) => { for (let n = node; n; n = n.parentElement) if (n.tagName === "DETAILS") n.open = true; };
const go = () => { const goal = location.hash && document.getElementById(location.hash.slice(1));
  if (goal) { open(goal); goal.scrollIntoView(); } };
addEventListener("hashchange", go);
addEventListener("DOMContentLoaded", () => {
  go();
  document.querySelectorAll(".try button").forEach((button) => button.addEventListener("click", () => {
    navigator.clipboard.writeText(button.nextElementSibling.textContent);
    button.textContent = "copied";
  }));
  const box = document.getElementById("search");
  if (!box) return;
  box.hidden = false;
  box.addEventListener("input", () => {
    const wanted = box.value.trim().toLowerCase();
    document.querySelectorAll("#appendix details.part").forEach((part) => {
      let found = 0;
      part.querySelectorAll(".entry").forEach((entry) => {
        entry.hidden = wanted !== "" && !entry.textContent.toLowerCase().includes(wanted);
        found += !entry.hidden;
      });
      part.hidden = wanted !== "" && !found;
      part.open = wanted !== "" && found > 0;
    });
    document.getElementById("appendix").scrollIntoView();
  });
});
