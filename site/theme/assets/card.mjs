// On paper a link is only of use if the sheet says where it leads.
const address = document.querySelector("[data-address]");
if (address && location.protocol.startsWith("http")) address.textContent = new URL("./", location.href).href;
