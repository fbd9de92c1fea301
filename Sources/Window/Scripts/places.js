// Rows and places: how far each is from the reader, and addresses without the parts that all of them share.
const radius = 6_371.0088; // of the earth, in km
const least = 0.1; // km, the shortest distance shown
const unit = { style: "unit", unit: "kilometer", minimumFractionDigits: 1, maximumFractionDigits: 1 };
const kilometres = new Intl.NumberFormat(`${document.documentElement.lang}-u-nu-latn`, unit);

export function openPlaces(list) {
  // The default of the program, used while the reader's position is unknown.
  const usual = list.dataset.near?.split(",");
  let near = usual, shared;

  function update(element) {
    for (const place of element.querySelectorAll("[data-point]")) {
      place.textContent = near ? kilometres.format(Math.max(least, distance(near, place.dataset.point.split(",")))) : "";
    }
    for (const address of element.querySelectorAll("p.address:not([data-none])")) share(address);
  }

  /// Digits of postal codes differ from street to street.
  function share({ children }) {
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
    from(place) {
      near = place ?? usual;
      update(list);
    },
  };
}

function distance([latitude, longitude], [otherLatitude, otherLongitude]) {
  const [north, east] = [otherLatitude - latitude, otherLongitude - longitude].map((degrees) => Math.sin(radians(degrees) / 2) ** 2);
  return 2 * radius * Math.asin(Math.sqrt(Math.min(1, north + Math.cos(radians(latitude)) * Math.cos(radians(otherLatitude)) * east)));
}

const radians = (degrees) => degrees * Math.PI / 180;
