extension Cargo {
    /// The motif as SVG elements for a 96 × 96 square, with its base at y = 78.
    var svg: String { Self.images[name] ?? "" }

    /// The motifs by name, each painted from back to front.
    static let images = [
        // A stack of three books, and one leaning on it.
        "books": """
        <rect x="22" y="66" width="46" height="12" rx="2" fill="#3f6fb5"/><path d="M26 69h42v6H26z" fill="#f7f3e8"/>
        <rect x="25" y="54" width="41" height="12" rx="2" fill="#c94f4f"/><path d="M29 57h37v6H29z" fill="#f7f3e8"/>
        <rect x="22" y="44" width="40" height="10" rx="2" fill="#3d8f6c"/><path d="M26 46.5h36v5H26z" fill="#f7f3e8"/>
        <g transform="rotate(14 70 78)"><rect x="64" y="30" width="13" height="48" rx="2" fill="#e0a03a"/>
        <path d="M64 37h13v3H64zM64 68h13v3H64z" fill="#fff3d6"/></g>
        """,
        // Two layers, icing and a candle.
        "cake": """
        <path d="M22 58h52v17a3 3 0 0 1-3 3H25a3 3 0 0 1-3-3z" fill="#d98b5f"/><path d="M22 66h52v5H22z" fill="#f6dfb4"/>
        <path d="M29 40h38v18H29z" fill="#e6a678"/>
        <path d="M27 40a4 4 0 0 1 4-4h34a4 4 0 0 1 4 4v6a4 4 0 0 1-8 0 4 4 0 0 1-8 0v3a4 4 0 0 1-8 0v-3a4 4 0 0 1-8 0 4 4 0 0 1-8 0z" fill="#fff6f2"/>
        <path d="M20 58a3 3 0 0 1 3-3h50a3 3 0 0 1 3 3v3a4 4 0 0 1-8 0 4 4 0 0 1-8 0v2a4 4 0 0 1-8 0v-2a4 4 0 0 1-8 0 4 4 0 0 1-8 0v2a4 4 0 0 1-8 0v-2a4 4 0 0 1-8 0z" fill="#fff6f2"/>
        <path d="M46 24h4v12h-4z" fill="#5aa0d8"/><path d="M48 14c3 4 4 5.5 4 7.5a4 4 0 0 1-8 0c0-2 1-3.5 4-7.5z" fill="#ffb02e"/>
        <circle cx="37" cy="35" r="3" fill="#d0404f"/><circle cx="59" cy="35" r="3" fill="#d0404f"/>
        """,
        // A folder with two sheets in it.
        "documents": """
        <path d="M24 34a3 3 0 0 1 3-3h14l5 6h25a3 3 0 0 1 3 3v35H24z" fill="#2f5fa8"/>
        <g transform="rotate(-5 48 50)"><rect x="31" y="20" width="34" height="50" rx="2" fill="#fff"/>
        <path d="M36 27h16v3H36zM36 34h24v2H36zM36 39h24v2H36z" fill="#9aa6b8"/></g>
        <g transform="rotate(4 52 50)"><rect x="36" y="25" width="33" height="48" rx="2" fill="#f4f6fa"/>
        <path d="M41 32h14v3H41zM41 39h23v2H41zM41 44h23v2H41z" fill="#8995a8"/></g>
        <path d="M20 51h56l-4 24a3 3 0 0 1-3 3H27a3 3 0 0 1-3-3z" fill="#4f83d1"/><path d="M36 61h24v6H36z" fill="#dce8fa"/>
        """,
        // A bunch of three in paper.
        "flowers": """
        <path d="M48 76 34 42M48 76V38M48 76l15-33" stroke="#3f8f55" stroke-width="3" fill="none"/>
        <g fill="#e2557b"><circle cx="32" cy="29" r="6"/><circle cx="40" cy="35" r="6"/><circle cx="37" cy="44" r="6"/><circle cx="27" cy="44" r="6"/>
        <circle cx="24" cy="35" r="6"/></g><circle cx="32" cy="37" r="5" fill="#ffd25e"/>
        <g fill="#fff"><circle cx="65" cy="31" r="6"/><circle cx="73" cy="37" r="6"/><circle cx="70" cy="46" r="6"/><circle cx="60" cy="46" r="6"/>
        <circle cx="57" cy="37" r="6"/></g><circle cx="65" cy="39" r="5" fill="#f2a33a"/>
        <g fill="#8a63d2"><circle cx="48" cy="17" r="6"/><circle cx="56" cy="23" r="6"/><circle cx="53" cy="32" r="6"/><circle cx="43" cy="32" r="6"/>
        <circle cx="40" cy="23" r="6"/></g><circle cx="48" cy="25" r="5" fill="#ffd25e"/>
        <path d="M30 50c8 5 28 5 36 0L54 76c-1 3-11 3-12 0z" fill="#f7ead2"/><path d="M48 53.7c7 0 14-1.3 18-3.7L54 76c-.6 2-3 2.3-6 2.3z" fill="#e9d3ab"/>
        <path d="M39 64h18l-2 5H41z" fill="#d0404f"/>
        """,
        // A bowl of soup with chopsticks.
        "food": """
        <path d="M58 44 76 16M63 46l17-27" stroke="#8a5a33" stroke-width="3.5" stroke-linecap="round"/>
        <path d="M18 44h60c0 16-8 27-18 30H36C26 71 18 60 18 44z" fill="#d8483f"/><path d="M36 74h24v3a2 2 0 0 1-2 2H38a2 2 0 0 1-2-2z" fill="#a93028"/>
        <ellipse cx="48" cy="44" rx="30" ry="8" fill="#f3e3c3"/><ellipse cx="48" cy="44.5" rx="26" ry="6" fill="#d99b45"/>
        <path d="M28 44c4-4 8 3 12 0s8 3 12-1" stroke="#f8e6a8" stroke-width="2.5" fill="none" stroke-linecap="round"/>
        <ellipse cx="58" cy="44" rx="8" ry="4.5" fill="#fff"/><ellipse cx="58" cy="44" rx="4" ry="2.4" fill="#ffb02e"/>
        <path d="M34 34c-4-5 4-8 0-14M46 33c-4-5 4-8 0-14" stroke="#fff" stroke-width="3" fill="none" stroke-linecap="round" opacity=".85"/>
        <path d="M22 54c8 5 44 5 52 0" stroke="#f7c7a8" stroke-width="2" fill="none"/>
        """,
        // An armchair.
        "furniture": """
        <path d="M29 70h5l-2 9h-4zM62 70h5l1 9h-4z" fill="#6b4226"/>
        <path d="M28 32c0-8 5-12 12-12h16c7 0 12 4 12 12v28H28z" fill="#2f8f8b"/><path d="M34 34c0-5 3-8 8-8h12c5 0 8 3 8 8v20H34z" fill="#3ba9a4"/>
        <circle cx="42" cy="38" r="1.8" fill="#237370"/><circle cx="54" cy="38" r="1.8" fill="#237370"/>
        <rect x="30" y="52" width="36" height="13" rx="5" fill="#46bdb7"/>
        <path d="M18 50a7 7 0 0 1 14 0v14h32V50a7 7 0 0 1 14 0v18a5 5 0 0 1-5 5H23a5 5 0 0 1-5-5z" fill="#267b77"/>
        <rect x="39" y="44" width="16" height="15" rx="3" fill="#f2b544" transform="rotate(8 47 52)"/>
        """,
        // A paper bag with groceries on top.
        "groceries": """
        <path d="M60 14c5-2 10 2 9 7L62 48l-10-3z" fill="#d99a4e"/><path d="m62 22 5 2M60 29l5 2M58 36l5 2" stroke="#b5762f" stroke-width="2"/>
        <path d="M36 20c-3-5 0-8 2-9 1 3 3 4 2 8 2-3 5-3 7-2-1 4-4 6-8 6z" fill="#3f9a56"/><path d="M30 30c2-8 13-9 15-2l4 18H34z" fill="#ef7d32"/>
        <circle cx="51" cy="36" r="9" fill="#cf3f3f"/><path d="M51 28c0-3 2-5 4-5" stroke="#5a3a22" stroke-width="2" fill="none"/>
        <path d="M28 38c-5 0-8 5-6 10h12c2-5-1-10-6-10z" fill="#58a85c"/>
        <path d="M22 44h52l-4 34H26z" fill="#c99763"/><path d="M48 44h26l-4 34H48z" fill="#b98550"/><path d="m22 44 4 5 4-5 4 5 4-5 5 5 5-5 5 5 4-5 5 5 4-5 4 5 4-5" fill="#e0b483"/>
        <path d="M40 58h16a8 8 0 0 1-16 0z" fill="#f6e3c2"/>
        """,
        // A box with tape and a label.
        "parcel": """
        <path d="M48 22 76 35v29L48 79 20 64V35z" fill="#c58b4f"/><path d="M48 49 76 35v29L48 79z" fill="#a66f39"/><path d="M48 22 76 35 48 49 20 35z" fill="#e2b178"/>
        <path d="m34 28.5 28 13.5v9l-5 2.5V44.5L29 31z" fill="#f8e9cc"/>
        <path d="m25 51 13 7v9l-13-7z" fill="#fff"/><path d="m27 55 9 5M27 58.5l6 3.3" stroke="#8995a8" stroke-width="1.5"/>
        """,
        // A cat that faces the viewer.
        "pets": """
        <path d="M66 70c14 2 16-12 9-18" stroke="#5b5f73" stroke-width="6" fill="none" stroke-linecap="round"/>
        <path d="M30 78c-3-18 4-28 18-28s21 10 18 28z" fill="#6b7086"/><path d="M41 78c-1-10 2-16 7-16s8 6 7 16z" fill="#f4f1ec"/>
        <path d="m28 20 12 8h16l12-8c2 8 2 14 1 20 0 12-9 19-21 19s-21-7-21-19c-1-6-1-12 1-20z" fill="#777c93"/>
        <path d="m31 25 7 5-7 5zM65 25l-7 5 7 5z" fill="#f0a9b4"/>
        <ellipse cx="39" cy="41" rx="5" ry="5.5" fill="#fbe38a"/><ellipse cx="57" cy="41" rx="5" ry="5.5" fill="#fbe38a"/>
        <ellipse cx="39.5" cy="41" rx="2" ry="4.5" fill="#23262f"/><ellipse cx="57.5" cy="41" rx="2" ry="4.5" fill="#23262f"/>
        <path d="M45 48h6l-3 3.5z" fill="#f0889a"/><path d="M48 51v2c-2 2-4 2-5 1m5-1c2 2 4 2 5 1M34 49l-11-2m11 5-10 2M62 49l11-2m-11 5 10 2" stroke="#f4f1ec" stroke-width="1.5" fill="none" stroke-linecap="round"/>
        """,
        // A leafy plant in a pot.
        "plants": """
        <path d="M48 60V30" stroke="#2f7d46" stroke-width="3.5"/>
        <path d="M48 40C44 22 34 18 24 20c0 12 8 21 24 20z" fill="#4caf62"/><path d="M48 48c4-18 14-22 24-20 0 12-8 21-24 20z" fill="#3c9a53"/>
        <path d="M48 34c-8-8-7-17 0-23 8 6 8 15 0 23z" fill="#66c47a"/><path d="M48 58c-14 2-22-4-24-13 10-3 20 2 24 13z" fill="#3c9a53"/>
        <path d="M48 60c10 2 20-2 23-10-9-4-19 0-23 10z" fill="#4caf62"/>
        <path d="M31 56h34v7H31z" fill="#d2693f"/><path d="M34 63h28l-4 15H38z" fill="#bd5830"/><path d="M50 63h12l-4 15h-8z" fill="#a84b27"/>
        """,
        // A rocket at launch.
        "toys": """
        <path d="M40 68h16l-3 8-5 6-5-6z" fill="#ff9f2e"/><path d="M44 68h8l-4 8z" fill="#ffe07a"/>
        <path d="M36 46 24 58v14l12-6zM60 46l12 12v14l-12-6z" fill="#d8483f"/>
        <path d="M48 12c10 8 14 20 14 32 0 10-2 18-5 24H39c-3-6-5-14-5-24 0-12 4-24 14-32z" fill="#f5f7fb"/>
        <path d="M48 12c10 8 14 20 14 32 0 10-2 18-5 24h-9z" fill="#dbe2ee"/><path d="M48 12c5 4 8.5 9 11 15H37c2.5-6 6-11 11-15z" fill="#d8483f"/>
        <circle cx="48" cy="42" r="8" fill="#3f6fb5"/><circle cx="48" cy="42" r="5" fill="#a9d3f5"/><path d="M36 58h24l-1 5H37z" fill="#f2b544"/>
        """,
        // A bottle and a glass.
        "wine": """
        <path d="M34 14h10v16c0 5 7 7 7 15v30a3 3 0 0 1-3 3H30a3 3 0 0 1-3-3V45c0-8 7-10 7-15z" fill="#2c5a45"/><path d="M34 14h10v9H34z" fill="#8e2440"/>
        <path d="M27 48h24v18H27z" fill="#f6ead0"/><path d="M31 53h16v3H31zM33 59h12v2H33z" fill="#8e2440"/><path d="M30 44c0-5 5-7 6-12" stroke="#5c8f78" stroke-width="2" fill="none" stroke-linecap="round"/>
        <path d="M55 40h20c1 12-2 20-8 21v13l6 2v2H57v-2l6-2V61c-6-1-9-9-8-21z" fill="#fff" opacity=".8"/><path d="M55.5 47h19c0 8-3 12-9.5 12s-9.5-4-9.5-12z" fill="#a3264a"/>
        """,
    ]
}
