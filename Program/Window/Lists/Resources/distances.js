// Distances of rows from the reader, and addresses without the parts that all rows share.
const earthRadius = 6_371.0088; // km
const minDistance = 0.1; // km
const formatOptions = { style: "unit", unit: "kilometer", minimumFractionDigits: 1, maximumFractionDigits: 1 };
const kilometers = new Intl.NumberFormat(`${document.documentElement.lang}-u-nu-latn`, formatOptions);

export function trackDistances(list) {
  // The configured position, used while that of the reader is unknown.
  const defaultPosition = list.dataset.near?.split(",");
  let position = defaultPosition, shared;

  function update(element) {
    for (const place of element.querySelectorAll("[data-point]")) {
      place.textContent = position ? kilometers.format(Math.max(minDistance, distance(position, place.dataset.point.split(",")))) : "";
    }
    for (const address of element.querySelectorAll("p.address:not([data-none])")) updateSharedParts(address);
  }

  /// Updates the number of trailing parts that all addresses share, apart from digits of postal codes.
  function updateSharedParts({ children }) {
    const parts = [...children].map(({ textContent }) => textContent.replace(/\d/g, "")).reverse();
    shared ??= parts;
    const end = shared.findIndex((part, index) => part !== parts[index]);
    if (end >= 0) shared = shared.slice(0, end);
    if (+list.dataset.shared !== shared.length) list.dataset.shared = shared.length;
  }

  update(list);
  return {
    update,
    /// Measures distances from another point; null restores the default.
    measureFrom(point) {
      position = point ?? defaultPosition;
      update(list);
    },
  };
}

function distance([latitude, longitude], [otherLatitude, otherLongitude]) {
  const [north, east] = [otherLatitude - latitude, otherLongitude - longitude].map((degrees) => Math.sin(radians(degrees) / 2) ** 2);
  return 2 * earthRadius * Math.asin(Math.sqrt(Math.min(1, north + Math.cos(radians(latitude)) * Math.cos(radians(otherLatitude)) * east)));
}

const radians = (degrees) => degrees * Math.PI / 180;
