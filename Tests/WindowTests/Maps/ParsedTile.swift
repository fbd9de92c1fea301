/// The parsed SVG of a tile: crossings of lines with an edge, and labels.
struct ParsedTile {
    enum Edge { case vertical, horizontal }

    struct Label: Hashable {
        var text: String
        var x: Double
        var y: Double

        func moved(x distance: Double) -> Label {
            Label(text: text, x: ((x + distance) * 10).rounded() / 10, y: y)
        }
    }

    private struct Segment {
        var attributes: Substring
        var from: (x: Double, y: Double)
        var to: (x: Double, y: Double)
    }

    private var segments: [Segment] = []
    private(set) var labels: [Label] = []

    init(_ svg: String) {
        for match in svg.matches(of: /<path d="([^"C]*)"([^>]*)>/) where !match.1.contains("h0") {
            segments += Self.segments(of: match.1, ink: match.2)
        }
        labels = svg.matches(of: /<text x="([-.0-9]+)" y="([-.0-9]+)"[^>]*>([^<]*)</).compactMap { match in
            guard let x = Double(match.1), let y = Double(match.2) else { return nil }
            return Label(text: String(match.3), x: x, y: y)
        }
    }

    /// Returns the positions at which lines cross an edge, with their style, to a hundredth of a pixel, excluding the corners.
    func crossings(of edge: Edge, at position: Double) -> Set<String> {
        var crossings: Set<String> = []
        for segment in segments {
            let (from, to) =
                edge == .vertical
                ? (segment.from, segment.to)
                : ((x: segment.from.y, y: segment.from.x), (x: segment.to.y, y: segment.to.x))
            guard (from.x < position) != (to.x < position), from.x != position, to.x != position else { continue }
            let along = from.y + (position - from.x) / (to.x - from.x) * (to.y - from.y)
            guard (0.5...255.5).contains(along) else { continue }
            crossings.insert("\((along * 100).rounded() / 100)\(segment.attributes)")
        }
        return crossings
    }

    private static func segments(of data: Substring, ink: Substring) -> [Segment] {
        var segments: [Segment] = []
        var start = (x: 0.0, y: 0.0)
        var point = start
        for match in data.matches(of: /([MLHVz])([-.0-9]*) ?([-.0-9]*)/) {
            let first = Double(match.2) ?? 0
            var next = point
            switch match.1 {
            case "M": next = (first, Double(match.3) ?? 0)
            case "L": next = (first, Double(match.3) ?? 0)
            case "H": next.x = first
            case "V": next.y = first
            default: next = start
            }
            if match.1 == "M" { start = next } else { segments.append(Segment(attributes: ink, from: point, to: next)) }
            point = next
        }
        return segments
    }
}
