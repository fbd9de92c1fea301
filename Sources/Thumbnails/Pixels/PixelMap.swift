/// The pixels of an image: red, green and blue, one byte each, row by row from the top.
struct PixelMap: Sendable {
    static let channels = 3

    let size: PixelSize
    var bytes: [UInt8]

    /// The number of bytes in a row.
    var stride: Int { size.width * Self.channels }
}

// MARK: - Scaling

extension PixelMap {
    /// Returns a part of the image, reduced: each pixel is the mean of the area it covers.
    func scaled(_ crop: PixelRegion, to target: PixelSize) -> PixelMap {
        let columns = BoxFilter(from: crop.x, count: crop.size.width, to: target.width)
        let rows = BoxFilter(from: crop.y, count: crop.size.height, to: target.height)
        var result = [UInt8](repeating: 0, count: target.count * Self.channels)
        bytes.withUnsafeBufferPointer { source in
            result.withUnsafeMutableBufferPointer { target in
                average(source, into: target, columns: columns, rows: rows)
            }
        }
        return PixelMap(size: target, bytes: result)
    }

    /// Averages the covered source rows into one row first, then the pixels of that row.
    private func average(
        _ source: UnsafeBufferPointer<UInt8>, into target: UnsafeMutableBufferPointer<UInt8>, columns: BoxFilter, rows lines: BoxFilter
    ) {
        let stride = stride
        let (first, end) = (columns.first * Self.channels, columns.end * Self.channels)
        var sums = [Float](repeating: 0, count: stride)
        var offset = 0
        sums.withUnsafeMutableBufferPointer { sums in
            for line in lines.spans {
                for byte in first..<end { sums[byte] = 0 }
                for index in line.indices {
                    let (start, weight) = (index * stride, line.weight(of: index))
                    for byte in first..<end { sums[byte] += Float(source[start + byte]) * weight }
                }
                for column in columns.spans {
                    let pixel = column.average(of: sums)
                    target[offset] = Self.byte(pixel.x)
                    target[offset + 1] = Self.byte(pixel.y)
                    target[offset + 2] = Self.byte(pixel.z)
                    offset += Self.channels
                }
            }
        }
    }

    private static func byte(_ value: Float) -> UInt8 { UInt8(max(0, min(255, value + 0.5))) }
}

/// The source pixels that each target pixel covers in one dimension, with their weights.
private struct BoxFilter {
    let spans: [BoxSpan]
    let first: Int
    let end: Int

    /// - Parameter count: The number of source pixels, at least `targetCount`.
    init(from first: Int, count: Int, to targetCount: Int) {
        let step = Float(count) / Float(targetCount)
        self.first = first
        end = first + count
        spans = (0..<targetCount).map { index in
            let (low, high) = (Float(index) * step, min(Float(count), Float(index + 1) * step))
            return BoxSpan(low: low, high: high, offset: first, count: count)
        }
    }
}

/// A range of source pixels with weights; the first and the last may be partially covered.
private struct BoxSpan {
    let indices: Range<Int>
    private let firstWeight: Float
    private let innerWeight: Float
    private let lastWeight: Float

    init(low: Float, high: Float, offset: Int, count: Int) {
        let start = min(Int(low), count - 1)
        let end = max(start + 1, min(count, Int(high.rounded(.up))))
        let width = max(high - low, .leastNormalMagnitude)
        indices = offset + start..<offset + end
        innerWeight = 1 / width
        if end - start == 1 {
            (firstWeight, lastWeight) = (1, 1)
        } else {
            firstWeight = (Float(start + 1) - low) / width
            lastWeight = (high - Float(end - 1)) / width
        }
    }

    func weight(of index: Int) -> Float {
        if index == indices.lowerBound { return firstWeight }
        return index == indices.upperBound - 1 ? lastWeight : innerWeight
    }

    /// Returns the mean of the pixels in a row of red, green and blue.
    func average(of row: UnsafeMutableBufferPointer<Float>) -> SIMD3<Float> {
        var sum = SIMD3<Float>.zero
        for index in indices {
            let offset = index * PixelMap.channels
            sum += SIMD3(row[offset], row[offset + 1], row[offset + 2]) * weight(of: index)
        }
        return sum
    }
}
