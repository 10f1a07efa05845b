define internal i64 @boardwright_spread_bits(i64 %bits, i64 %word) {
start:
  br label %check
check:
  %left = phi i64 [ %word, %start ], [ %less, %next ]
  %bit = phi i64 [ 1, %start ], [ %twice, %next ]
  %found = phi i64 [ 0, %start ], [ %more, %next ]
  %done = icmp eq i64 %left, 0
  br i1 %done, label %end, label %next
next:
  %negative = sub i64 0, %left
  %lowest = and i64 %left, %negative
  %set = and i64 %bits, %bit
  %is_set = icmp ne i64 %set, 0
  %added = select i1 %is_set, i64 %lowest, i64 0
  %more = or i64 %found, %added
  %less = xor i64 %left, %lowest
  %twice = shl i64 %bit, 1
  br label %check
end:
  ret i64 %found
}
