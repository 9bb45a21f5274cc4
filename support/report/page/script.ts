/**
 * The page's own script. Everything works without it; it opens what a link points to, and offers to open all evidence
 * for reading or printing. Text, because it runs in another world than the code around it.
 */
export const SCRIPT = `
function revealTarget() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)))
  if (!target) return
  for (let node = target; node; node = node.parentElement) if (node.tagName === 'DETAILS') node.open = true
  target.scrollIntoView()
}

addEventListener('hashchange', revealTarget)
revealTarget()

const toggle = document.getElementById('toggle-all')
toggle.hidden = false
toggle.addEventListener('click', () => {
  const opening = toggle.getAttribute('aria-pressed') !== 'true'
  for (const details of document.querySelectorAll('.evidence details')) details.open = opening
  toggle.setAttribute('aria-pressed', String(opening))
  toggle.textContent = opening ? 'Close all evidence' : 'Open all evidence'
})
`
