define internal void @NRT_incref(ptr %block) alwaysinline {
  %is_none = icmp eq ptr %block, null
  br i1 %is_none, label %end, label %count
count:
  %before = load i64, ptr %block
  %after = add i64 %before, 1
  store i64 %after, ptr %block
  br label %end
end:
  ret void
}

define internal void @NRT_decref(ptr %block) alwaysinline {
  %is_none = icmp eq ptr %block, null
  br i1 %is_none, label %end, label %count
count:
  %before = load i64, ptr %block
  %after = sub i64 %before, 1
  store i64 %after, ptr %block
  %is_last = icmp eq i64 %after, 0
  br i1 %is_last, label %last, label %end
last:
  call void @NRT_Free(ptr %block)
  br label %end
end:
  ret void
}
